/** The long work on a large schema, as tasks that one thread can hand to another. Pure. */

import { type DetectorFindings, detectAll } from '../detect/findings.ts';
import { findKeyPairs, type KeyPair } from '../detect/foreign-keys/pair-places.ts';
import { detect } from '../detect/tables-and-keys.ts';
import { findContradictions, unknownNames } from '../proposal/check.ts';
import type { CubeProposal, Validation } from '../proposal/schema.ts';
import { rendered } from '../render/cube-xml.ts';
import { proposeByRules, type RuleOptions } from '../rules/propose-by-rules.ts';
import type { SchemaProfile, Table } from '../schemas.ts';

type Detectable = Pick<SchemaProfile, 'tables' | 'references'>;

export type InferenceTask =
  | { readonly kind: 'pairs'; readonly tables: readonly Table[] }
  | { readonly kind: 'findings'; readonly profile: Detectable }
  | { readonly kind: 'rules'; readonly profile: Detectable; readonly options: RuleOptions }
  | { readonly kind: 'render'; readonly proposal: CubeProposal };

/** A proposal of the rules, with its problems and its findings. */
export interface RuleProposal {
  readonly proposal: CubeProposal;
  readonly problems: readonly string[];
  readonly findings: DetectorFindings;
}

/** A proposal as a cube schema, with the problems that our own reader reports. */
export interface RenderedProposal {
  readonly schemaXml: string;
  readonly validation: Validation;
  /** The contradictions of the proposal. */
  readonly contradictions: readonly string[];
}

export type InferenceResult =
  | { readonly kind: 'pairs'; readonly value: readonly KeyPair[] }
  | { readonly kind: 'findings'; readonly value: DetectorFindings }
  | { readonly kind: 'rules'; readonly value: RuleProposal }
  | { readonly kind: 'render'; readonly value: RenderedProposal };

/** Does a task. */
export function workOn(task: InferenceTask): InferenceResult {
  switch (task.kind) {
    case 'pairs':
      return { kind: task.kind, value: findKeyPairs(task.tables) };
    case 'findings':
      return { kind: task.kind, value: detectAll(task.profile) };
    case 'rules': {
      const { profile, options } = task;
      const detected = detect(profile);
      const proposal = proposeByRules(profile, options, detected);
      const problems = [...findContradictions(proposal), ...unknownNames(proposal, profile.tables)];
      return { kind: task.kind, value: { proposal, problems, findings: detectAll(profile, detected) } };
    }
    case 'render':
      return {
        kind: task.kind,
        value: { ...rendered(task.proposal), contradictions: findContradictions(task.proposal) },
      };
  }
}
