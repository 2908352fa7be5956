import { execFile } from "node:child_process";
import { lstatSync } from "node:fs";
import { chmod, mkdir, open, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { startEmbedded, type Connection } from "../../apps/server/src/core/database/embedded/index.ts";
import { openBreakableLink, type BreakableLink } from "../../apps/server/src/testing/peers/breakableLink.ts";

const run = promisify(execFile);

/** A way of making a database unavailable and available again: resolves when it can be used again. */
export interface Way {
  readonly name: string;
  readonly take: () => Promise<void> | void;
  readonly giveBack: () => Promise<void> | void;
  /** Stored data can be read meanwhile. */
  readonly isReadable?: true;
}

export interface TakenAway {
  /** Of the database itself, bypassing the link. */
  readonly connection: Connection;
  /** Of the link to it. */
  readonly url: string;
  readonly ways: readonly Way[];
  readonly stop: () => Promise<void>;
}

/** Free space for writes; the files of a new database take some 40 MiB. */
const diskMiB = 192;

/** A PostgreSQL behind a link, with its tables on a small file system. Needs root. */
export async function openTakenAway(dataDir: string): Promise<TakenAway> {
  const start = () => startEmbedded({ dataDir, log: () => undefined });
  let embedded = await start();
  await embedded.stop();
  const disk = await putOnSmallDisk(dataDir);
  embedded = await start();
  const { connection } = embedded;
  const link: BreakableLink = await openBreakableLink(connection);
  const { user, password, database } = connection;
  return {
    connection,
    url: `postgres://${user}:${password}@127.0.0.1:${String(link.connection.port)}/${database}`,
    ways: [
      { name: "link refused", take: link.cut, giveBack: link.restore },
      { name: "black hole", take: link.swallow, giveBack: link.restore },
      {
        name: "stopped",
        take: () => embedded.stop(),
        async giveBack() {
          embedded = await start();
        },
      },
      { name: "disk full", take: disk.fill, giveBack: disk.empty, isReadable: true },
    ],
    async stop() {
      await link.close();
      await embedded.stop();
      await disk.remove();
    },
  };
}

/**
 * Moves the tables of a stopped cluster to a file system in memory, which can be filled. Its write-ahead log
 * stays in place: without space for that PostgreSQL shuts down, which is the case "stopped".
 */
async function putOnSmallDisk(dataDir: string) {
  const [tables, disk] = [join(dataDir, "database/base"), join(dataDir, "disk")];
  const filler = join(disk, "filler");
  const { uid, gid } = lstatSync(tables);
  await mkdir(disk);
  await run("mount", [
    "-t",
    "tmpfs",
    "-o",
    `size=${String(diskMiB)}m,uid=${String(uid)},gid=${String(gid)}`,
    "tmpfs",
    disk,
  ]);
  await chmod(disk, 0o711);
  await run("cp", ["-a", tables, join(disk, "base")]);
  await rename(tables, `${tables}.old`);
  await symlink(join(disk, "base"), tables);
  return {
    fill: async () => {
      const file = await open(filler, "w");
      const block = Buffer.alloc(1024 * 1024);
      try {
        for (let size = block.length; size >= 4096;) {
          const isWritten = await file.write(block, 0, size).then(
            ({ bytesWritten }) => bytesWritten === size,
            () => false,
          );
          if (!isWritten) size /= 2;
        }
      } finally {
        await file.close();
      }
    },
    empty: () => rm(filler, { force: true }),
    remove: async () => {
      await run("umount", ["-l", disk]);
    },
  };
}
