import { Argument, Command } from 'commander';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** Lists the subcommands and the options of a command. */
interface Completed {
  /** The command's words after the program: `user add`; empty for the program. */
  readonly path: string;
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly {
    readonly flag: string;
    readonly description: string;
    readonly choices: readonly string[];
  }[];
}

const INSTALL: Readonly<Record<Shell, string>> = {
  bash: '  bash:  service completion bash > ~/.local/share/bash-completion/completions/service',
  zsh: '  zsh:   service completion zsh > ~/.zsh/completions/_service   (a folder of $fpath)',
  fish: '  fish:  service completion fish > ~/.config/fish/completions/service.fish',
};

/** @param commands returns the commands to complete */
export function completionCommand(commands: () => readonly Command[]): Command {
  return new Command('completion')
    .description('Print a script that completes commands and options in a shell.')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .option('--name <command>', 'the name by which you call the program', 'service')
    .addHelpText(
      'after',
      `\nPut the script where your shell looks for it:\n${SHELLS.map((shell) => INSTALL[shell]).join('\n')}`,
    )
    .action((shell: Shell, { name }: { readonly name: string }) => {
      const all = tableOf('', 'service', commands());
      process.stdout.write(SCRIPTS[shell](name.replaceAll(/[^\w.-]/g, ''), all));
    });
}

function tableOf(path: string, name: string, subcommands: readonly Command[], command?: Command): readonly Completed[] {
  const own: Completed = {
    path,
    subcommands: subcommands.map((each) => ({ name: each.name(), description: firstSentence(each.description()) })),
    options: [
      ...(command?.options ?? []).flatMap(({ long, description, argChoices }) =>
        long ? [{ flag: long, description: firstSentence(description), choices: argChoices ?? [] }] : [],
      ),
      { flag: '--help', description: `explain ${path === '' ? name : path}`, choices: [] },
    ],
  };
  const below = subcommands.flatMap((each) =>
    tableOf(path === '' ? each.name() : `${path} ${each.name()}`, each.name(), each.commands, each),
  );
  return [own, ...below];
}

function firstSentence(text: string): string {
  return (/^.*?[.;](?= |$)/.exec(text)?.[0] ?? text).replace(/[.;]$/, '');
}

const SCRIPTS: Readonly<Record<Shell, (name: string, all: readonly Completed[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

function bashScript(name: string, all: readonly Completed[]): string {
  const words = all.map(
    ({ path, subcommands, options }) =>
      `    ${quote(path)}) words=${quote([...subcommands.map((each) => each.name), ...options.map(({ flag }) => flag)].join(' '))} ;;`,
  );
  const choices = choicesOf(all).map(
    ({ key, values }) =>
      `    ${quote(key)}) COMPREPLY=($(compgen -W ${quote(values.join(' '))} -- "$current")); return ;;`,
  );
  const paths = all.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  return `# Completion of ${name} for bash.
_${functionName(name)}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${paths.join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path \${COMP_WORDS[COMP_CWORD-1]}" in
${choices.join('\n')}
  esac
  case "$path" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${functionName(name)} ${name}
`;
}

function zshScript(name: string, all: readonly Completed[]): string {
  const cases = all.map(({ path, subcommands, options }) => {
    const entries = [
      ...subcommands.map((each) => `${each.name}:${each.description}`),
      ...options.map(({ flag, description }) => `${flag}:${description}`),
    ];
    return `    ${quote(path)}) entries=(${entries.map((entry) => quote(entry)).join(' ')}) ;;`;
  });
  const choices = choicesOf(all).map(
    ({ key, values }) => `    ${quote(key)}) compadd -- ${values.join(' ')}; return ;;`,
  );
  const paths = all.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  return `#compdef ${name}
# Completion of ${name} for zsh.
local path_of='' word
local -a entries
for word in "\${(@)words[2,CURRENT-1]}"; do
  case "\${path_of:+$path_of }$word" in
    ${paths.join('|')}) path_of="\${path_of:+$path_of }$word" ;;
  esac
done
case "$path_of \${words[CURRENT-1]}" in
${choices.join('\n')}
esac
case "$path_of" in
${cases.join('\n')}
esac
_describe 'command' entries || _files
`;
}

function fishScript(name: string, all: readonly Completed[]): string {
  const lines = all.flatMap(({ path, subcommands, options }) => {
    const condition = `__${functionName(name)}_at ${quote(path)}`;
    return [
      ...subcommands.map(
        (each) => `complete -c ${name} -f -n ${quote(condition)} -a ${each.name} -d ${quote(each.description)}`,
      ),
      ...options.map(
        ({ flag, description, choices }) =>
          `complete -c ${name} -n ${quote(condition)} -l ${flag.slice(2)} -d ${quote(description)}${choices.length === 0 ? '' : ` -x -a ${quote(choices.join(' '))}`}`,
      ),
    ];
  });
  const paths = all.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  return `# Completion of ${name} for fish.
function __${functionName(name)}_at
  set -l path ''
  for word in (commandline -opc)[2..-1]
    set -l longer (string trim "$path $word")
    contains -- $longer ${paths.join(' ')}; and set path $longer
  end
  test "$path" = "$argv[1]"
end
${lines.join('\n')}
`;
}

/** Lists the options with a closed list of values, by the words before the value: `api-key create --scope`. */
function choicesOf(all: readonly Completed[]): readonly { readonly key: string; readonly values: readonly string[] }[] {
  return all.flatMap(({ path, options }) =>
    options.flatMap(({ flag, choices }) => (choices.length === 0 ? [] : [{ key: `${path} ${flag}`, values: choices }])),
  );
}

function functionName(name: string): string {
  return name.replaceAll(/\W/g, '_');
}

/** Quotes a word for the three shells. */
function quote(text: string): string {
  return `'${text.replaceAll('`', '').replaceAll("'", '’')}'`;
}
