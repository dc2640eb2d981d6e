import { expect, it } from 'vitest';
import { goTemplate } from './go-template.ts';

const list = {
  items: [
    { metadata: { name: 'a', labels: { 'app.kubernetes.io/name': 'shop' } }, data: { key: 'one' }, ready: true },
    { metadata: { name: 'b' }, ready: false },
  ],
  secret: 'aGVsbG8=',
  map: { z: 1, a: [1, 2] },
};

it.each([
  ['{{.items}}'.replace('items', 'secret'), 'aGVsbG8='],
  ['{{range .items}}{{.metadata.name}} {{.data.key}}{{"\\n"}}{{end}}', 'a one\nb <no value>\n'],
  ['{{range $i, $each := .items}}{{if $i}}, {{end}}{{$each.metadata.name}}{{end}}', 'a, b'],
  ['{{range .nothing}}x{{else}}none{{end}}', 'none'],
  ['{{range .items}}{{if .ready}}yes{{else if eq .metadata.name "b"}}it is b{{else}}no{{end}} {{end}}', 'yes it is b '],
  ['{{(index .items 0).metadata.name}}', 'a'],
  ['{{with index .items 0}}{{index .metadata.labels "app.kubernetes.io/name"}}{{end}}', 'shop'],
  ['{{.secret | base64decode}}', 'hello'],
  ['{{printf "%-5s|%3d" .secret (len .items)}}', 'aGVsbG8=|  2'],
  ['{{range $k, $v := .map}}{{$k}}={{$v}} {{end}}', 'a=[1 2] z=1 '],
  ['{{.map}}', 'map[a:[1 2] z:1]'],
  ['a {{- /* said */ -}} b', 'ab'],
  ['{{$n := len .items}}{{if and (gt $n 1) (not .missing)}}{{$n}}{{end}}', '2'],
  ['{{if exists .map "a" 1}}there{{end}}{{if exists .map "b"}}not{{end}}', 'there'],
  ['{{range .items}}{{$.secret}}{{end}}', 'aGVsbG8=aGVsbG8='],
])('fills in %s', (template, text) => {
  expect(goTemplate(template, list)).toBe(text);
});

it.each([
  ['{{.data.key}', "error: error parsing template {{.data.key}, template: output:1: bad character U+007D '}'"],
  ['{{range .items}}', 'error: error parsing template {{range .items}}, template: output:1: unexpected EOF'],
  ['{{nope .x}}', 'error: error parsing template {{nope .x}}, template: output:1: function "nope" not defined'],
  ['{{end}}', 'error: error parsing template {{end}}, template: output:1: unexpected {{end}}'],
  ['{{(.a}}', 'error: error parsing template {{(.a}}, template: output:1: unclosed left paren'],
  ['{{$x}}', 'error: error executing template: undefined variable "$x"'],
])('refuses %s', (template, text) => {
  expect(() => goTemplate(template, list)).toThrow(text);
});
