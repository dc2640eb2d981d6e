// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell programs
import { describe, expect, test } from 'vitest';
import { RuntimeFixture } from '../../../test/support/containers.ts';

const run = (script: string, config = {}) => new RuntimeFixture().script(script, config);

describe('commands and their status', () => {
  test.each<[string, number, string[]]>([
    ['exit 3', 3, []],
    ['true && echo yes || echo no', 0, ['yes']],
    ['false && echo yes || echo no', 0, ['no']],
    ['! false', 0, []],
    ['false; echo $?', 0, ['1']],
    ['no-such-command; echo $?', 0, ['sh: no-such-command: not found', '127']],
    ['set -e; false; echo not reached', 1, []],
    ['set -e; if false; then echo a; fi; false || echo b', 0, ['b']],
    ['(exit 4); echo $?', 0, ['4']],
    ['f() { echo "got $1"; return 5; }; f x; echo $?', 0, ['got x', '5']],
    ['trap "echo bye" EXIT; echo hi', 0, ['hi', 'bye']],
    ['eval "echo $((1 + 2))"', 0, ['3']],
  ])('%s', async (script, code, lines) => {
    expect(await run(script)).toMatchObject({ code, lines });
  });
});

describe('loops and choices', () => {
  test.each<[string, string[]]>([
    ['for i in 1 2 3; do echo $i; done', ['1', '2', '3']],
    ['for i in $(seq 2); do echo "n$i"; done', ['n1', 'n2']],
    ['i=0; while [ $i -lt 3 ]; do i=$((i+1)); [ $i -eq 2 ] && continue; echo $i; done', ['1', '3']],
    ['until [ "$x" = xx ]; do x="${x}x"; done; echo $x', ['xx']],
    ['while true; do echo once; break; done', ['once']],
    ['case abc in x) echo x;; a*|b*) echo ab;; *) echo other;; esac', ['ab']],
    ['if [ -f /nope ]; then echo a; elif [ -d /tmp ]; then echo b; else echo c; fi', ['b']],
    ['printf "a\\nb\\n" | while read line; do echo "<$line>"; done', ['<a>', '<b>']],
    ['cat <<EOF\nhello $((2*3))\nEOF', ['hello 6']],
    ["cat <<'EOF'\nhello $HOME\nEOF", ['hello $HOME']],
  ])('%s', async (script, lines) => {
    expect((await run(script)).lines).toEqual(lines);
  });
});

describe('words', () => {
  test.each<[string, string[]]>([
    ['echo "a  b" a  b', ['a  b a b']],
    ['echo \'single $HOME\' "double $NAME"', ['single $HOME double value']],
    ['echo ${MISSING:-default} ${NAME:+set} ${#NAME}', ['default set 5']],
    ['x=/a/b/file.txt; echo ${x##*/} ${x%.txt} ${x%%/b*} ${x#/a}', ['file.txt /a/b/file /a /b/file.txt']],
    ['x="1 2 3"; set -- $x; echo $# $2', ['3 2']],
    ['echo `echo nested $(echo deep)`', ['nested deep']],
    ['touch /tmp/b.log /tmp/a.log; cd /tmp; echo *.log; echo "*.log"', ['a.log b.log', '*.log']],
    ['echo $((7 / 2)) $((2 + 3 * 4)) $((1 == 1 && 0))', ['3 14 0']],
    ['echo -n one; echo " two"', ['one two']],
  ])('%s', async (script, lines) => {
    expect((await run(script, { envs: [{ key: 'NAME', value: 'value' }] })).lines).toEqual(lines);
  });
});

describe('files', () => {
  test.each<[string, string[]]>([
    ['echo one > /tmp/f; echo two >> /tmp/f; cat /tmp/f; wc -l < /tmp/f', ['one', 'two', '2']],
    ['cat /nope; echo $?', ["cat: can't open '/nope': No such file or directory", '1']],
    ['echo x > /nope/f; echo $?', ["sh: can't create /nope/f: nonexistent directory", '1']],
    ['mkdir -p /a/b && touch /a/b/c && ls /a/b && rm -r /a && ls /a', ['c', 'ls: /a: No such file or directory']],
    ['echo "k=v" > /tmp/f; grep -q k /tmp/f && sed s/k/key/ /tmp/f | cut -d= -f1', ['key']],
    ['cd /tmp; mkdir a b; touch a/x b/y f; ls a f b; ls -d a', ['f', '', 'a:', 'x', '', 'b:', 'y', 'a']],
    ['ls /nope 2>/dev/null || echo silent', ['silent']],
    ['printf "b\\na\\nb\\n" | sort | uniq', ['a', 'b']],
    ["echo 'HTTP/1.1 200 OK' | awk '/HTTP/{print $2}'", ['200']],
  ])('%s', async (script, lines) => {
    expect((await run(script)).lines).toEqual(lines);
  });
});

describe('time and signals', () => {
  test('sleep takes virtual time', async () => {
    expect(await run('sleep 2; sleep 0.5; exit 1')).toMatchObject({ code: 1, ms: 2500 });
  });

  test('a background job runs beside the shell, wait waits for it', async () => {
    expect(await run('(sleep 2; echo done) & echo first; wait; echo last')).toMatchObject({ lines: ['first', 'done', 'last'], ms: 2000 });
  });

  test('a trap interrupts wait at once', async () => {
    const fixture = new RuntimeFixture();
    const id = await fixture.start({ image: 'busybox:1.36', command: ['sh', '-c', "trap 'echo term; exit 7' TERM; sleep 3600 & wait"] });
    const before = fixture.simulation.now;
    await fixture.call(() => fixture.runtime.stopContainer(id, 30));
    expect(fixture.simulation.now - before).toBeLessThan(50);
    expect(await fixture.status(id)).toMatchObject({ exitCode: 7 });
    expect(await fixture.logs(id)).toEqual(['term']);
  });

  test('a trap waits for the command that runs; an endless loop of sleeps costs no events', async () => {
    const fixture = new RuntimeFixture();
    const id = await fixture.start({ image: 'busybox:1.36', command: ['sh', '-c', "trap 'exit 0' TERM; while true; do sleep 1; done"] });
    const { executed } = fixture.simulation;
    await fixture.simulation.advance(600_300);
    expect(fixture.simulation.executed - executed).toBeLessThan(3);
    const before = fixture.simulation.now;
    await fixture.call(() => fixture.runtime.stopContainer(id, 30));
    expect(fixture.simulation.now - before).toBeGreaterThan(500);
    expect(fixture.simulation.now - before).toBeLessThan(1010);
    expect(await fixture.status(id)).toMatchObject({ exitCode: 0 });
  });

  test.each(['sleep 3600', 'exec sleep 3600', 'while true; do sleep 5; done'])(
    '%s ignores SIGTERM as process 1 and is killed',
    async (script) => {
      const fixture = new RuntimeFixture();
      const id = await fixture.start({ image: 'busybox:1.36', command: ['sh', '-c', script] });
      const before = fixture.simulation.now;
      await fixture.call(() => fixture.runtime.stopContainer(id, 2));
      expect(fixture.simulation.now - before).toBeGreaterThanOrEqual(2000);
      expect(await fixture.status(id)).toMatchObject({ exitCode: 137 });
    },
  );

  test('kill ends a background job and frees its port', async () => {
    const script =
      'httpd -f -p 8080 -h /tmp & n=$!; sleep 1; wget -q -O - localhost:8080/x || echo missing; kill $n; sleep 1; nc -z localhost 8080 || echo closed';
    expect((await run(script)).lines).toEqual([
      'wget: server returned error: HTTP/1.1 404 Not Found',
      'missing',
      'nc: localhost (localhost:8080): Connection refused',
      'closed',
    ]);
  });

  test('a loop that waits for others does not keep the simulation unsettled for ever', async () => {
    const fixture = new RuntimeFixture();
    await fixture.start({ image: 'busybox:1.36', command: ['sh', '-c', 'until nslookup db; do sleep 2; done'] });
    await fixture.simulation.settle();
    expect(fixture.simulation.now).toBeGreaterThan(100_000);
    expect(fixture.simulation.now).toBeLessThan(300_000);
  });

  test('a loop without sleep takes a little time', async () => {
    const fixture = new RuntimeFixture();
    await fixture.start({ image: 'busybox:1.36', command: ['sh', '-c', 'while :; do :; done'] });
    await fixture.simulation.advance(10);
    expect(fixture.simulation.now).toBeGreaterThan(0);
  });
});

describe('what is wrong or not supported is said', () => {
  test.each<[string, string]>([
    ['if true; then', 'sh: syntax error: unexpected "end of file" (expecting "fi")'],
    ['echo "open', 'sh: syntax error: unterminated quoted string'],
    ['[[ a == b ]]', 'sh: [[: not supported by this simulated shell'],
    ["awk 'BEGIN { x = 1 }'", 'awk: this program is not supported by the simulated awk (only /pattern/, NR==n, $n == "x" and { print … })'],
  ])('%s', async (script, message) => {
    expect(await run(script)).toMatchObject({ code: 2, lines: [message] });
  });
});
