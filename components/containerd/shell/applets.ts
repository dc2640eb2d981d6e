import { FILE_APPLETS } from './applets-files.ts';
import { FIND_APPLETS } from './applets-find.ts';
import { NETWORK_APPLETS } from './applets-network.ts';
import { SYSTEM_APPLETS } from './applets-system.ts';
import { TAR_APPLETS } from './applets-tar.ts';
import { TEXT_APPLETS } from './applets-text.ts';
import { runAwk } from './awk.ts';
import type { Applet } from './external-call.ts';

/** The commands that images with a shell have. */
export const APPLETS: ReadonlyMap<string, Applet> = new Map<string, Applet>(
  Object.entries({ ...SYSTEM_APPLETS, ...FILE_APPLETS, ...TEXT_APPLETS, awk: runAwk, ...NETWORK_APPLETS, ...FIND_APPLETS, ...TAR_APPLETS }),
);
