import type { UserController } from '../../client/controller-runtime.ts';
import { databaseController } from './database-controller.ts';
import { mine } from './mine.ts';
import { websiteV1, websiteV2, websiteV3 } from './website-controllers.ts';

/** Controllers that a lesson's cluster can run, by name. A lesson is data: it can name one, not bring one. `mine` does what the learner writes. */
export const LESSON_CONTROLLERS: Readonly<Record<string, UserController>> = {
  database: databaseController,
  mine,
  'website-v1': websiteV1,
  'website-v2': websiteV2,
  'website-v3': websiteV3,
};
