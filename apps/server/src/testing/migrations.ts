import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { migrate, migrateTo, openDatabase } from "#core";
import { migrations } from "../core/database/migrations/index.ts";

/**
 * A database at one step of the schema; `upgrade` migrates it to the newest one as a start of the platform
 * does.
 */
export interface OldDatabase {
  readonly pool: pg.Pool;
  readonly upgrade: () => Promise<string[]>;
  readonly drop: () => Promise<void>;
}

/** The last released step of the schema. */
export const releasedStep = "0027-polling-switch";

/** A new database with the steps up to `last`, without rows. */
export async function openDatabaseAt(last: string): Promise<OldDatabase> {
  const cluster = inject("testCluster");
  const name = `old_${randomBytes(6).toString("hex")}`;
  await run(cluster, `create database ${name} owner metrum`);
  // Opened as the platform does: a connection cut while it is being closed ends no process.
  const database = openDatabase({ ...cluster, user: "metrum", database: name, max: 3 });
  const { pool } = database;
  const at = migrations.findIndex((step) => step.name === last);
  const client = await pool.connect();
  await client.query("begin");
  await migrateTo(
    client,
    migrations.slice(0, at + 1).map((step) => step.name),
  );
  await client.query("commit");
  client.release();
  return {
    pool,
    upgrade: () => migrate(pool),
    async drop() {
      await database.close();
      await run(cluster, `drop database if exists ${name} with (force)`);
    },
  };
}

async function run(connection: pg.ClientConfig, text: string): Promise<void> {
  const client = new pg.Client({ ...connection });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
