const QUESTIONS = new Set([
  'api-resources',
  'api-versions',
  'auth',
  'cluster-info',
  'describe',
  'events',
  'explain',
  'get',
  'logs',
  'top',
  'version',
  'wait',
]);
const ROLLOUT_QUESTIONS = new Set(['status', 'history']);

/** Whether a command only looks: then the past can answer it, and no branch is needed. */
export function isQuestion(args: readonly string[]): boolean {
  const [verb = '', what = ''] = args;
  return QUESTIONS.has(verb) || (verb === 'rollout' && ROLLOUT_QUESTIONS.has(what));
}

/** The files that `-f`, `--from-file` and their like name. */
export function fileNames(args: readonly string[]): string[] {
  return args.flatMap((word, index) => {
    if (word === '-f' || word === '--filename') return args[index + 1]?.split(',') ?? [];
    const from = /^--from-(?:env-)?file=(?:[^=]*=)?(.+)$/.exec(word)?.[1];
    if (from) return [from];
    return /^(?:-f|--filename)=?(.+)$/.exec(word)?.[1]?.split(',') ?? [];
  });
}

/** Whether an input, as the trace names it, is something that can be undone: a look at the cluster is not. */
export function changesSomething(input: string): boolean {
  if (/^(?:Ctrl-C|visit |GET )/.test(input)) return false;
  return !input.startsWith('kubectl ') || !isQuestion(input.split(' ').slice(1));
}
