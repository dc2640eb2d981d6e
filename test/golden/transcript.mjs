// Compares what kubectl printed with what was recorded of a real one: compareCase(case, { vars, results }) → differences, as lines to read.
import { dirname, join } from 'node:path';

const SUFFIX = '[bcdfghjklmnpqrstvwxz2456789]'; // the letters of generated names
const DURATION = '(?:\\d+(?:\\.\\d+)?(?:y|d|h|ms|m|s)){1,3}';
const CELL = new RegExp(`(^\\s*|\\s{2,})(?:${DURATION}|<invalid>)(?: \\(x\\d+ over ${DURATION}\\))?(?=\\s{2,}|\\s*$)`, 'g');
const AGED = /(^|\s{2,})(AGE|Age|DURATION|LAST SEEN|LAST SCHEDULE|FIRST SEEN)(\s{2,}|\s*$)/;

/** Replaces what changes from run to run. Texts stay readable; applying it twice changes nothing more. */
export function normalize(text, vars, how = 'normalized', command = '') {
  let out = text;
  if (vars.dir) out = out.replaceAll(vars.dir, '{dir}').replaceAll(join(dirname(vars.dir), 'tmp'), '{tmp}');
  if (vars.server) out = out.replaceAll(vars.server, '<server>').replaceAll(vars.server.replace(/^https?:\/\//, ''), '<host>');
  if (vars.ns) out = out.replaceAll(vars.ns, '{ns}');
  if (how === 'exact') return out;
  out = out.replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uid>')
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)/g, '<time>')
    .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? [+-]\d{4}( [A-Z]+)?/g, '<time>')
    .replace(/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, '<time>')
    .replace(/^([IWEF])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ [\w.]+:\d+\]/gm, '$1<log>]')
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<jwt>')
    .replace(/-----BEGIN [A-Z ]+-----[^]*?-----END [A-Z ]+-----\n?/g, '<pem>')
    .replace(/\b(containerd|docker|cri-o):\/\/[0-9a-f]{12,}/g, '<container>')
    .replace(/^.*\b0\/\d+ nodes are available: .*$/gm, (line) => line.replace(/\b0\/\d+ (?=nodes are available)/g, '0/<n> ').replace(/\b\d+ (?=node\(s\)|Insufficient |Preemption |No preemption )/g, '<n> '))
    .replace(/^.*\bFailedMount\b.*failed to sync (configmap|secret) cache: timed out.*\n/gm, '') // a busy kubelet, now and then
    .replace(/[\w./:-]*@?\bsha256:[0-9a-f]{64}/g, '<image>')
    .replace(/(resourceVersion"?: ?|Resource Version: +)"?\d+"?/g, '$1<rv>')
    .replace(/\b(10\.\d{1,3}|172\.(1[6-9]|2\d|3[01])|192\.168)\.\d{1,3}\.\d{1,3}(\.\d{1,3})?\b/g, '<ip>')
    .replace(/\b(resource version to be \d+, was )\d+/g, '$1<rv>')
    .replace(/\b(127\.0\.0\.1|\[::1\]):\d{4,5}\b/g, '$1:<port>')
    .replace(/\b(\d+):3\d{4}\/(TCP|UDP|SCTP)/g, '$1:<nodeport>/$2').replace(/(NodePort: .*)\b3\d{4}\//g, '$1<nodeport>/').replace(/("?nodePort"?: )3\d{4}\b/g, '$1<nodeport>')
    .replace(/\b(LIVE|MERGED)-\d+/g, '$1-<n>').replace(/\bkubectl-edit-\d+/g, 'kubectl-edit-<n>')
    .replace(/\bv1\.(\d+)\.\d+\b/g, 'v1.$1.<n>')
    .replace(new RegExp(`-${SUFFIX}{6,10}-${SUFFIX}{5}(?![\\w-])`, 'g'), '-<hash>-<hash>')
    .replace(new RegExp(`-(?=\\w*\\d)${SUFFIX}{6,10}(?![\\w-])`, 'g'), '-<hash>')
    .replace(new RegExp(`-${SUFFIX}{5}(?![\\w-])`, 'g'), '-<hash>')
    .replace(/-2\d{7}(?![\w])/g, '-<hash>')
    .replace(/((?:pod-template|controller-revision)-hash"?(?:[:=]) ?"?)[\w-]+/g, (all, key, at, whole) => (all.includes('<') || whole[at + all.length] === '<' ? all : `${key}<hash>`))
    .replace(new RegExp(`\\b${DURATION} ago\\b`, 'g'), '<age> ago')
    .replace(new RegExp(`(back-off |Successfully pulled .* in )${DURATION}`, 'g'), '$1<age>')
    .replace(new RegExp(`\\(${DURATION} including waiting\\)\\. Image size: \\d+ bytes`, 'g'), '(<age> including waiting). Image size: <n> bytes')
    .replace(new RegExp(`^(Duration: +)${DURATION}$`, 'gm'), '$1<age>');
  for (const node of vars.nodes ?? []) out = out.replace(new RegExp(`(?<![\\w.{<-])${node.replace(/[.]/g, '\\.')}(?![\\w.>-])`, 'g'), '<node>');
  let aged = false;
  return out.split('\n').map((line) => {
    if (AGED.test(line)) aged = true;
    else if (!line.trim()) aged = false;
    else if (aged || command.includes('--no-headers')) return line.replace(CELL, '$1<age>');
    return line;
  }).join('\n');
}

/** What two texts are compared by: column widths do not count, indentation does. */
function comparable(text, { sortLines, drop, ignore, unique }) {
  let lines = (ignore ? text.replace(new RegExp(ignore, 'g'), '') : text).split('\n').map((line) => line.replace(/(\S) {2,}/g, '$1  ').replace(/[ \t]+$/, ''));
  if (drop) lines = lines.filter((line) => !new RegExp(drop).test(line));
  if (unique) lines = lines.filter((line, i) => !line || line !== lines[i - 1]);
  return sortLines ? lines.filter(Boolean).sort() : lines;
}

/** The differences between a recorded case and a run of it, as lines to read; none when they match. */
export function compareCase(testCase, { vars, results }) {
  const problems = [];
  testCase.steps.forEach((step, i) => {
    const result = results[i];
    if (!result) return;
    const name = `step ${i + 1}: ${step.cmd ?? step.stop ?? step.http}`;
    if (step.http) return void (step.status === result.status || problems.push(`${name}: status ${result.status}, recorded ${step.status}`));
    const lines = [];
    if (step.exitCode !== result.exitCode) lines.push(`  exit code ${result.exitCode}, recorded ${step.exitCode}`);
    for (const stream of ['stdout', 'stderr']) {
      const how = howOf(step, stream);
      if (how === 'status-only') continue;
      const [recorded, actual] = how === 'exact' ? [step[stream].split('\n'), normalize(result[stream], vars, how, step.cmd).split('\n')]
        : [comparable(normalize(step[stream], {}, how, step.cmd), step), comparable(normalize(result[stream], vars, how, step.cmd), step)].map((all) => (how === 'first-line' ? all.slice(0, 1) : all));
      const difference = diffLines(recorded, actual);
      if (difference.length) lines.push(`  ${stream} (- recorded, + now)`, ...difference.map((line) => `    ${line}`));
    }
    if (lines.length) problems.push([name, ...lines, ...(result.exitCode !== step.exitCode && result.stderr ? [`  stderr now: ${result.stderr.trim().slice(0, 400)}`] : [])].join('\n'));
  });
  return problems;
}

const howOf = ({ compare = 'normalized' }, stream) => (typeof compare === 'string' ? compare : compare[stream] ?? 'normalized');

/** Lines that only one side has, with one line of context around them (longest common subsequence). */
function diffLines(a, b) {
  if (a.join('\n') === b.join('\n')) return [];
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) for (let j = b.length - 1; j >= 0; j--) common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
  const all = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j]) { all.push(`  ${a[i++]}`); j++; }
    else if (i < a.length && (j >= b.length || common[i + 1][j] >= common[i][j + 1])) all.push(`- ${a[i++]}`);
    else all.push(`+ ${b[j++]}`);
  }
  return all.filter((_, i) => [all[i - 1], all[i], all[i + 1]].some((line) => line && !line.startsWith('  ')));
}
