import type { DocumentReader } from '../scenario/document-reader.ts';
import type { Pick } from './lesson.ts';
import { readSelection } from './read-check.ts';

/** `{ pod: Pod/web-*, fresh: { kind: Pod, newest: true }, node: { kind: Pod, path: spec.nodeName } }` @throws DocumentError */
export function readPicks(reader: DocumentReader): Pick[] {
  if (!reader.exists) return [];
  return reader.fieldNames().map((name) => {
    const item = reader.field(name);
    if (item.isText) return { name, of: readSelection(item), newest: false };
    item.onlyFields(['kind', 'name', 'namespace', 'labels', 'ready', 'where', 'newest', 'path']);
    const [newest, path] = [item.field('newest'), item.field('path')];
    return {
      name,
      of: readSelection(item.without(['newest', 'path'])),
      newest: newest.exists && newest.boolean(),
      ...(path.exists ? { path: path.string() } : {}),
    };
  });
}
