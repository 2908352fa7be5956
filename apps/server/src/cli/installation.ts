import {
  createBus,
  createLog,
  migrate,
  openDatabase,
  requireSecretsKey,
  systemClock,
  type Database,
  type Services,
} from "#core";
import { startEmbedded } from "../core/database/embedded/index.ts";
import { createServices } from "../services.ts";
import type { Config } from "#config";

/**
 * Runs with the database of this installation: the one of METRUM_DATABASE_URL, or the embedded one, which is
 * started for this command and stopped afterwards unless the server is already running it.
 */
export async function withDatabase<Result>(
  config: Config,
  run: (database: Database, about: { readonly isShared: boolean }) => Promise<Result>,
): Promise<Result> {
  if (config.databaseUrl !== undefined)
    return withPool(openDatabase({ connectionString: config.databaseUrl }), (database) =>
      run(database, { isShared: true }),
    );
  const embedded = await startEmbedded({
    dataDir: config.dataDir,
    log: (message) => process.stderr.write(`${message}\n`),
  });
  try {
    return await withPool(openDatabase({ ...embedded.connection }), (database) =>
      run(database, { isShared: !embedded.isOwner }),
    );
  } finally {
    await embedded.stop();
  }
}

/** Runs a rule of a domain outside the server, on a migrated database. */
export function withServices<Result>(
  config: Config,
  run: (services: Services) => Promise<Result>,
): Promise<Result> {
  return withDatabase(config, async (database) => {
    await migrate(database.pool);
    await requireSecretsKey(database.system, config.dataDir);
    return run(servicesOn(config, database));
  });
}

/** What the rules of domains need outside the server. */
export function servicesOn(config: Config, database: Database): Services {
  const log = createLog(config.logLevel);
  const bus = createBus((error) => log.error(error, "a listener failed"));
  return createServices({ config, database, bus, clock: systemClock, log });
}

async function withPool<Result>(
  database: Database,
  run: (database: Database) => Promise<Result>,
): Promise<Result> {
  try {
    return await run(database);
  } finally {
    await database.close();
  }
}
