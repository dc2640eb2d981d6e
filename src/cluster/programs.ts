import type { HttpProgram, ImageDefinition } from '../../components/containerd/image-definition.ts';
import { answerWebhook, WEBHOOK_SERVER, WEBHOOK_SERVER_IMAGE, WEBHOOK_SERVER_PORT } from '../../components/webhook-server/server.ts';
import { newBadRequest } from '../api/status-error.ts';

/** Code that runs in containers, by name: an image says which by its `program`. */
export type Programs = Readonly<Record<string, HttpProgram>>;

const OWN_PROGRAMS: Programs = { [WEBHOOK_SERVER]: answerWebhook };
const OWN_IMAGES: readonly ImageDefinition[] = [
  { ...WEBHOOK_SERVER_IMAGE, program: WEBHOOK_SERVER, ports: [WEBHOOK_SERVER_PORT], shell: false, stopCode: 0 },
];

/** The images that a cluster knows besides the catalogue, with the code of those that have any. @throws ApiStatusError when there is no such code */
export function imagesWithPrograms(images: readonly ImageDefinition[], programs: Programs): ImageDefinition[] {
  const all: Programs = { ...OWN_PROGRAMS, ...programs };
  return [...OWN_IMAGES, ...images].map((image) =>
    image.program === undefined ? image : { ...image, answer: programOf(all, image.program) },
  );
}

function programOf(programs: Programs, name: string): HttpProgram {
  const program = Object.hasOwn(programs, name) ? programs[name] : undefined;
  if (!program) throw newBadRequest(`there is no program ${JSON.stringify(name)}; there are ${Object.keys(programs).join(', ')}`);
  return program;
}
