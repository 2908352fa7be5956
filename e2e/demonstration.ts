// `demonstration.ts FILE`: creates the demonstration from which the platforms of the browser tests start, and writes its
// directory to the file.
import { writeFile } from "node:fs/promises";
import { createDemonstration } from "./platform.ts";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("usage: demonstration.ts FILE");
await writeFile(file, await createDemonstration());
