import type { UserController } from '../../client/controller-runtime.ts';
import { databaseController } from './database-controller.ts';
import { draftSeeder, safeSeeder } from './seeder.ts';

/** Controllers that a lesson's cluster can run, by name. A lesson is data: it can name one, not bring one. */
export const LESSON_CONTROLLERS: Readonly<Record<string, UserController>> = {
  database: databaseController,
  'draft-seeder': draftSeeder,
  seeder: safeSeeder,
};
