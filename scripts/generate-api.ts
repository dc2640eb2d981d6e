// Writes everything that is generated out of `scripts/api-data/`: `npm run generate`. A test keeps the repository in step.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { generateKinds } from './generate-kinds.ts';
import { generateOpenApi } from './generate-openapi.ts';
import { generateProtobuf } from './generate-protobuf.ts';
import { type Discovery, generateResources } from './generate-resources.ts';
import { generateSchemas } from './generate-schemas.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const read = (name: string): unknown => JSON.parse(readFileSync(join(root, `scripts/api-data/${name}.json`), 'utf8'));

/** Path in the repository → text, for every generated file of the API. */
export function generateApi(): Record<string, string> {
  const { definitions } = read('openapi-v2') as { definitions: Parameters<typeof generateSchemas>[0] };
  const files: Record<string, string> = {
    'src/api/resources.ts': generateResources([read('discovery-api') as Discovery, read('discovery-apis') as Discovery]),
    'components/kube-apiserver/generated/openapi-schemas.ts': generateOpenApi(read('openapi-v3-schemas') as Record<string, unknown>),
    'src/api/generated/protobuf-table.ts': generateProtobuf(read('protobuf') as Parameters<typeof generateProtobuf>[0], definitions),
    'src/api/generated/schema-table.ts': generateSchemas(definitions, read('struct-fields') as Record<string, string[]>),
  };
  for (const [name, text] of Object.entries(generateKinds(definitions))) files[`src/api/kinds/${name}`] = text;
  return files;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, text] of Object.entries(generateApi())) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
