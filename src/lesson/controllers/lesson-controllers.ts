import type { UserController } from '../../client/controller-runtime.ts';
import { databaseController } from './database-controller.ts';
import { draftSeeder, safeSeeder } from './seeder.ts';
import { websiteV1, websiteV2, websiteV3 } from './website-controllers.ts';

/** Controllers that a lesson's cluster can run, by name. A lesson is data: it can name one, not bring one. */
export const LESSON_CONTROLLERS: Readonly<Record<string, UserController>> = {
  database: databaseController,
  'draft-seeder': draftSeeder,
  seeder: safeSeeder,
  'website-v1': websiteV1,
  'website-v2': websiteV2,
  'website-v3': websiteV3,
};
