import { type Call, COMMON, type Command } from '../command.ts'
import { UsageError } from '../errors.ts'

/** The command that prints a completion script for the other commands. */
export function completionOf(commands: readonly Command[]): Command {
  const shells: Readonly<Record<string, (commands: readonly Command[]) => string>> = { bash, zsh, fish }
  return {
    name: 'completion',
    summary: 'Print a completion script for bash, zsh or fish',
    takes: ['<shell>'],
    values: Object.keys(shells),
    examples: [
      'source <(tillhook completion bash)',
      'tillhook completion zsh > ~/.zsh/completions/_tillhook',
      'tillhook completion fish > ~/.config/fish/completions/tillhook.fish',
    ],
    async run({ args }: Call) {
      const write = shells[args[0] ?? '']
      if (write === undefined) throw new UsageError(`choose one of: ${Object.keys(shells).join(', ')}`)
      process.stdout.write(write(commands))
    },
  }
}

/** The words that may follow the beginning of a line. */
function candidates(commands: readonly Command[]): Map<string, string[]> {
  const after = new Map<string, string[]>()
  const add = (words: string, next: string) => {
    const known = after.get(words) ?? []
    if (!known.includes(next)) after.set(words, [...known, next])
  }
  for (const { name, values = [], options = {} } of commands) {
    const words = name.split(' ')
    for (const [index, word] of words.entries()) add(words.slice(0, index).join(' '), word)
    for (const value of values) add(name, value)
    for (const option of [...Object.keys(options), ...Object.keys(COMMON)]) add(name, `--${option}`)
  }
  return after
}

function bash(commands: readonly Command[]): string {
  const cases = [...candidates(commands)].map(([words, next]) => `    '${words}') next='${next.join(' ')}' ;;`)
  return `_tillhook() {
  local word=\${COMP_WORDS[COMP_CWORD]} words= next=
  local i
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ \${COMP_WORDS[i]} == -* ]] && break
    words+="\${words:+ }\${COMP_WORDS[i]}"
  done
  case "$words" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$next" -- "$word"))
}
complete -o default -F _tillhook tillhook
`
}

function zsh(commands: readonly Command[]): string {
  return `#compdef tillhook
autoload -U +X bashcompinit && bashcompinit
${bash(commands)}`
}

function fish(commands: readonly Command[]): string {
  const lines = [...candidates(commands)].map(
    ([words, next]) =>
      `complete -c tillhook -f -n 'test (string join " " (string match -v -- "-*" (commandline -opc)[2..])) = "${words}"' -a '${next.join(' ')}'`,
  )
  return `${lines.join('\n')}\n`
}
