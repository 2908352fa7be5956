import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { CompiledQuery } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { leastFreeBytes } from "@metrum/contract/platform";
import { openTestApi } from "#testing/api";
import { buildHealth } from "../app.ts";
import { createStorageFaults, diskSpace, isOutOfSpace, watchDisk } from "./storage.ts";

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), "metrum-storage-"));
});
afterAll(() => rmSync(dataDir, { recursive: true }));

const full = Object.assign(new Error("could not extend file"), { code: "53100" });

/** PostgreSQL itself refuses with this code, in the way in which it reports a full disk. */
const refuse = "do $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$";

describe("PROD-039 a full disk is named", () => {
  test("a statement refused for lack of space makes the process not ready, with the reason, and counts half a minute", () => {
    let nowMs = 0;
    const faults = createStorageFaults(() => nowMs);

    expect(faults.isFull()).toBe(false);
    faults.note(new Error("another"));
    expect(faults.isFull()).toBe(false);
    faults.note(new Error("in a call", { cause: full }));
    expect(faults.isFull()).toBe(true);
    nowMs = 31_000;
    expect(faults.isFull()).toBe(false);
  });

  test.each(["a query of the pool", "a statement of a transaction", "a client of the pool"])(
    "%s is noted, whoever sent it: /readyz and /metrics say so until there is space",
    async (kind) => {
      const { services, close } = await openTestApi();
      const health = buildHealth(services);
      const { database } = services;
      const before = await health.inject("/readyz");

      const sent =
        kind === "a query of the pool"
          ? database.pool.query(refuse)
          : kind === "a client of the pool"
            ? database.pool.connect().then((client) => client.query(refuse).finally(() => client.release()))
            : database.system.transaction().execute((db) => db.executeQuery(CompiledQuery.raw(refuse)));
      await expect(sent).rejects.toMatchObject({ code: "53100" });
      const [ready, metrics, alive] = await Promise.all(
        ["/readyz", "/metrics", "/healthz"].map((path) => health.inject(path)),
      );

      expect([before.statusCode, before.json()]).toEqual([200, { status: "ready" }]);
      expect([ready?.statusCode, ready?.json()]).toEqual([503, { status: "storage full" }]);
      expect(ready?.headers["retry-after"]).toBe("5");
      expect(metrics?.body).toMatch(/^metrum_storage_full 1$/m);
      expect(metrics?.body).toMatch(/^metrum_disk_free_bytes \d{6,}/m);
      expect(metrics?.body).toMatch(/^metrum_disk_total_bytes \d{6,}/m);
      expect(alive?.statusCode).toBe(200);
      await health.close();
      await close();
    },
  );

  test("the embedded database is out of space before its next segment fails; of another one only its answers count", () => {
    const database = { isFull: () => false };

    expect(diskSpace(dataDir)?.freeBytes).toBeGreaterThan(0);
    expect(diskSpace(join(dataDir, "nowhere"))).toBeUndefined();
    expect(isOutOfSpace({ config: { dataDir, databaseUrl: undefined }, database })).toBe(false);
    expect(isOutOfSpace({ config: { dataDir: "/proc", databaseUrl: undefined }, database })).toBe(true);
    expect(isOutOfSpace({ config: { dataDir: "/proc", databaseUrl: "postgres://x" }, database })).toBe(false);
  });

  test("less than 1 GiB is reported once an hour, more is not", async () => {
    let nowMs = 0;
    let freeBytes = leastFreeBytes;
    const lines: unknown[] = [];
    const stop = watchDisk(
      dataDir,
      { warn: (about: object) => void lines.push(about) },
      { space: () => ({ freeBytes, totalBytes: 10 * leastFreeBytes }), monotonicMs: () => nowMs, everyMs: 5 },
    );

    await pause(20);
    expect(lines).toEqual([]);
    freeBytes -= 1;
    await expect.poll(() => lines).toEqual([{ free_bytes: freeBytes, least_free_bytes: leastFreeBytes }]);
    nowMs = 3600_000;
    await expect.poll(() => lines.length).toBe(2);
    await stop();
  });
});
