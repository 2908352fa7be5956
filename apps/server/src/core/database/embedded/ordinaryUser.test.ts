import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ordinaryUser } from "./ordinaryUser.ts";

/** Files come and go, as those of a database that is running. */
const busy = (folder: string) =>
  spawn(process.execPath, [
    "-e",
    `const fs = require("node:fs");
     for (let n = 0; ; n += 1) {
       const files = Array.from({ length: 40 }, (_, at) => process.argv[1] + "/" + at);
       for (const file of files) fs.writeFileSync(file, "");
       for (const file of files) fs.rmSync(file);
     }`,
    folder,
  ]);

test.runIf(process.getuid?.() === 0)(
  "the data directory changes hands while the database removes files in it",
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "metrum-hand-over-"));
    chmodSync(dataDir, 0o711);
    const folder = join(dataDir, "files");
    mkdirSync(folder);
    writeFileSync(join(dataDir, "secrets.key"), "");
    const database = busy(folder);
    try {
      for (let n = 0; n < 60; n += 1) {
        const user = await ordinaryUser({ dataDir, read: [], written: [] });

        expect(user).toEqual({
          kind: "user",
          uid: expect.any(Number) as number,
          gid: expect.any(Number) as number,
        });
      }
      const owner = statSync(join(dataDir, "secrets.key")).uid;
      expect(owner).not.toBe(0);
      expect(statSync(folder).uid).toBe(owner);
    } finally {
      database.kill("SIGKILL");
      await new Promise((resolve) => database.once("exit", resolve));
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
);
