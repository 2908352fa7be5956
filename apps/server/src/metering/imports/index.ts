import type { Domain } from "#core";
import { serveImports } from "./calls.ts";
import { startFolder } from "./folder.ts";

export { createImportParser } from "./parseApart.ts";

/** Files of readings: uploaded by users, or dropped into a folder by an FTP or SFTP server. */
export const imports: Domain = { name: "imports", calls: serveImports, worker: startFolder };
