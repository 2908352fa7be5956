import type { Domain } from "#core";
import { serveImports } from "./calls.ts";
import { startFolder } from "./folder.ts";

export { createImportParser } from "./parseApart.ts";

/** Files of readings: uploaded by people, or dropped into a folder by a server for FTP or SFTP. */
export const imports: Domain = { name: "imports", calls: serveImports, worker: startFolder };
