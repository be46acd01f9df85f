import type { Datasource, DatasourceProblem, DatasourceType } from '../../router/capabilities/datasources.ts';
import type { ParsedDescriptor } from './descriptor/parse.ts';

/** The present state of a descriptor file. */
export interface DescriptorFile extends ParsedDescriptor {
  /** Absolute path. */
  readonly file: string;
}

/** A version of a datasource that a loader took and serves. */
export interface Served {
  readonly file: string;
  readonly datasource: Datasource;
}

/**
 * The next step for a descriptor file:
 * - `load`: it has its id and name, and will be served
 * - `keep`: it is unusable now; its earlier version stays served
 * - `broken`, `disabled`, `unsupported`: it is not served
 */
export type Step =
  | { readonly step: 'load'; readonly descriptor: DescriptorFile; readonly datasource: Datasource }
  | {
      readonly step: 'keep' | 'broken';
      readonly descriptor: DescriptorFile;
      readonly problems: readonly DatasourceProblem[];
    }
  | { readonly step: 'disabled' | 'unsupported'; readonly descriptor: DescriptorFile };

/**
 * Decides the step of every file, in the files' order. Where two files have one id or name, the file that is served
 * already gets it, else the first; the other is broken. Pure.
 */
export function plan(
  descriptors: readonly DescriptorFile[],
  served: readonly Served[],
  supportedTypes: readonly DatasourceType[],
): readonly Step[] {
  const ids = new Map<string, DescriptorFile>();
  const names = new Map<string, DescriptorFile>();
  const servedBy = (descriptor: DescriptorFile) => served.find((each) => each.file === descriptor.file);
  const isIncumbent = (descriptor: DescriptorFile) => {
    const before = servedBy(descriptor)?.datasource;
    return before !== undefined && before.id === descriptor.id && before.name === descriptor.name;
  };

  // Served files come first, so that a new file never takes an id in use. A broken file keeps the id that it serves.
  const incumbentsFirst = [
    ...descriptors.filter((each) => each.datasource === undefined),
    ...descriptors.filter((each) => each.datasource !== undefined && isIncumbent(each)),
    ...descriptors.filter((each) => each.datasource !== undefined && !isIncumbent(each)),
  ];
  const steps = new Map<DescriptorFile, Step>();
  for (const descriptor of incumbentsFirst) {
    const { datasource } = descriptor;
    const before = servedBy(descriptor);
    if (datasource === undefined) {
      if (before !== undefined) {
        ids.set(before.datasource.id, descriptor);
        names.set(before.datasource.name, descriptor);
      }
      steps.set(descriptor, { step: before === undefined ? 'broken' : 'keep', descriptor, problems: [] });
      continue;
    }
    const clashes = clashesOf(datasource, ids.get(datasource.id), names.get(datasource.name));
    if (clashes.length > 0) {
      steps.set(descriptor, { step: 'broken', descriptor, problems: clashes });
      continue;
    }
    ids.set(datasource.id, descriptor);
    names.set(datasource.name, descriptor);
    if (!datasource.enabled) steps.set(descriptor, { step: 'disabled', descriptor });
    else if (!supportedTypes.includes(datasource.type)) steps.set(descriptor, { step: 'unsupported', descriptor });
    else steps.set(descriptor, { step: 'load', descriptor, datasource });
  }
  return descriptors.flatMap((descriptor) => steps.get(descriptor) ?? []);
}

function clashesOf(
  { id, name }: Datasource,
  sameId: DescriptorFile | undefined,
  sameName: DescriptorFile | undefined,
): readonly DatasourceProblem[] {
  const clashes: DatasourceProblem[] = [];
  const file = (descriptor: DescriptorFile) => descriptor.file.replace(/^.*[\\/]/, '');
  if (sameId !== undefined)
    clashes.push({ severity: 'error', message: `The id "${id}" is already that of ${file(sameId)}.` });
  if (sameName !== undefined)
    clashes.push({ severity: 'error', message: `The name "${name}" is already that of ${file(sameName)}.` });
  return clashes;
}

/**
 * Lists the served versions that no step keeps. They are unloaded before anything is loaded, which frees their ids and
 * names. A renamed file stays served under its new name.
 */
export function leftOver<Version extends Served>(
  served: readonly Version[],
  steps: readonly Step[],
): readonly Version[] {
  return served.filter(
    ({ file, datasource }) =>
      !steps.some((step) => {
        if (step.step === 'keep') return step.descriptor.file === file;
        return step.step === 'load' && step.datasource.id === datasource.id && step.datasource.type === datasource.type;
      }),
  );
}
