import { parseArgs } from "node:util";
import type { MixedOptions } from "@metrum/simulator";
import { companyOf, registerScalePark, removeScalePark } from "#platform/demo";
import { readConfig } from "#config";
import { withServices } from "./installation.ts";
import { UsageError } from "./usage.ts";

const usage =
  "seed-park --company ID --devices N [--park K] [--seed N] [--first-port PORT] [--interval SEC] [--remove]";

/** Registers the devices that the simulator runs with the same numbers, or removes them. */
export async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      company: { type: "string" },
      devices: { type: "string" },
      park: { type: "string", default: "0" },
      seed: { type: "string", default: "1" },
      "first-port": { type: "string", default: "31000" },
      interval: { type: "string", default: "3600" },
      remove: { type: "boolean", default: false },
    },
  });
  const company = whole("company", values.company);
  const options: MixedOptions = {
    count: whole("devices", values.devices),
    park: whole("park", values.park),
    seed: whole("seed", values.seed),
    firstPort: whole("first-port", values["first-port"]),
    intervalSec: whole("interval", values.interval),
  };
  const done = await withServices(readConfig(), async (services) => {
    const companyId = await companyOf(services.database.system, company);
    if (companyId === undefined) throw new UsageError(`--company: there is no company ${String(company)}`);
    return values.remove
      ? removeScalePark(services, companyId, options)
      : registerScalePark(services, companyId, options);
  });
  console.log(`${String(done)} devices were ${values.remove ? "removed" : "registered"}`);
  return 0;
}

function whole(name: string, text: string | undefined): number {
  if (text === undefined || !/^\d{1,9}$/.test(text))
    throw new UsageError(`--${name} is to be a whole number\n\n${usage}`);
  return Number(text);
}
