// Goal: the command line says what it does, and what is wrong, with exit codes that scripts can use. Method: the built program is run as its users run it; `npm test`
// builds it first.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const main = join(dirname(fileURLToPath(import.meta.url)), '../dist/src/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'bottleship-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function bottleship(...args: string[]): { code: number | null; out: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { cwd: folder, encoding: 'utf8', input: '' });
  return { code: status, out: stdout, error: stderr };
}

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

describe.skipIf(!existsSync(main))('bottleship (skipped when it is not built)', () => {
  it('plays the deletion of a pod when it is told nothing and there is no terminal', () => {
    const { code, out } = bottleship();
    expect(code).toBe(0);
    expect(out).toMatch(/^A Pod is deleted\n/);
    expect(out).toMatch(/\n {2}\[x\] three Pods run again\n\ndigest: [0-9a-f]{16}\n$/);
  });

  it('records a run, replays it, branches off, and says why', () => {
    const played = bottleship('play', 'delete-a-pod', '--record', 'run.json', '--dump', 'end.yaml');
    expect(played.code).toBe(0);
    const digest = /digest: (\w+)/.exec(played.out)?.[1];
    expect(bottleship('replay', 'run.json', '--quiet').out).toContain(`digest: ${digest} (as recorded)`);
    expect(readFileSync(join(folder, 'end.yaml'), 'utf8')).toMatch(/^apiVersion: v1\nitems:\n- /);
    const branch = bottleship(
      'replay',
      'run.json',
      '--quiet',
      '--at',
      '4s',
      '--branch',
      'scale deployment/web --replicas=1',
      '--record',
      'branch.json',
    );
    expect([branch.code, branch.out.includes('deployment.apps/web scaled')]).toEqual([0, true]);
    expect(bottleship('replay', 'branch.json', '--quiet').out).toContain('(as recorded)');
    const why = bottleship('why', '1500', '--run', 'run.json');
    expect(why.code).toBe(0);
    expect(why.out).toMatch(/^#1500 /);
  });

  it.each([
    [['frobnicate'], 'there is no command "frobnicate"; there are '],
    [['play', 'nope'], 'there is no scenario "nope"; there are '],
    [['play', 'a', 'b'], 'one scenario at a time, not 2: a b'],
    [['play', '--nodes', 'x'], '--nodes takes a whole number, not "x"'],
    [['play', '--until', 'soon'], '--until takes a time such as 30s, 1m30s or 500ms, not "soon"'],
    [['play', '--record', 'no/such/run.json'], 'no/such/run.json: there is no such folder to put it in'],
    [['serve', '--port', '0', '--record', '.'], '.: this is a folder, not a file'],
    [['serve', '--port', '99999'], '--port takes a port from 0 to 65535, not 99999'],
    [['truth', 'me'], 'truth takes no arguments, not me'],
    [['play', '--until', 'soon'], '--until takes a time such as 30s, 1m30s or 500ms, not "soon"'],
    [['play', '--frob'], "Unknown option '--frob'"],
    [['play', '-f', 'missing.yaml'], 'missing.yaml: there is no such file'],
    [['replay'], 'give one recording: RUN.json'],
    [['replay', 'missing.json'], 'missing.json: there is no such file'],
    [['why', '3'], '--run RUN.json says which run is meant'],
    [['lint'], 'give the files to check'],
  ])('refuses %j with code 2', (args, message) => {
    const { code, error } = bottleship(...args);
    expect(error).toContain(`bottleship: ${message}`);
    expect(code).toBe(2);
  });

  it.each([
    [
      'syntax.yaml',
      'kind: Pod\nspec: [\n',
      2,
      'syntax.yaml:3:1: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    ['list.yaml', '- a\n', 2, 'list.yaml:1:1: expected an object with apiVersion, kind and metadata, found a list'],
    ['nokind.yaml', 'hello: world\n', 2, 'nokind.yaml:1:1: apiVersion: missing; expected e.g. apps/v1'],
    ['kind.yaml', 'apiVersion: v9\nkind: Pud\nmetadata: {name: a}\n', 1, 'no matches for kind "Pud" in version "v9"'],
    [
      'field.yaml',
      'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containerz: [], containers: [{name: a, image: b}]}\n',
      1,
      'strict decoding error: unknown field "spec.containerz"',
    ],
    [
      'type.yaml',
      'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {priority: high, containers: [{name: a, image: b}]}\n',
      1,
      'cannot unmarshal string into Go struct field PodSpec.spec.priority of type int32',
    ],
    ['empty.yaml', '', 1, 'error: no objects passed to apply'],
  ])('says what is wrong with the manifest %s', (name, text, expected, message) => {
    const { code, error } = bottleship('play', '-f', file(name, text));
    expect(error).toContain(message);
    expect(code).toBe(expected);
  });

  it.skipIf(!existsSync('/dev/full'))('says why what it prints cannot be kept', () => {
    const run = spawnSync('sh', ['-c', `"$0" "$1" truth > /dev/full`, process.execPath, main], { encoding: 'utf8' });
    expect([run.status, run.stderr]).toEqual([1, 'bottleship: standard output: there is no space left\n']);
  });

  it('fails with code 1 when an expectation does not hold', () => {
    const { code, out } = bottleship(
      'play',
      file('wrong.yaml', 'title: T\nnodes: 0\nsteps: []\nexpect:\n  - finally: { kind: Pod, count: 1 }\n'),
    );
    expect(code).toBe(1);
    expect(out).toContain('  [ ] finally {"kind":"Pod","count":1}\n      but 0 of 0 Pod objects fit');
  });

  it('checks files, and tells each of them', () => {
    const { code, out } = bottleship(
      'lint',
      file('good.yaml', 'title: T\nsteps: []\n'),
      file('bad.yaml', 'title: T\nsteps:\n  - wait: soon\n'),
    );
    expect(code).toBe(1);
    expect(out).toBe('good.yaml: ok\nbad.yaml:3:11: steps[0].wait: expected a time such as 30s, 1m30s or 500ms, found "soon"\n');
  });

  it('explains each command and every option of it', () => {
    for (const name of ['play', 'replay', 'why', 'lint', 'truth', 'serve']) {
      const { code, out } = bottleship(name, '--help');
      expect(code).toBe(0);
      expect(out).toContain(`usage: bottleship ${name}`);
      expect(out).toContain('example: bottleship');
      for (const line of out.split('\n').filter((text) => /^ {2}(-\w, )?--/.test(text))) expect(line).toMatch(/ {2,}\w/);
    }
    expect(bottleship('--help').out).toContain('usage: bottleship [COMMAND]');
  });
});
