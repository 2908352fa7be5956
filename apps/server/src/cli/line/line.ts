import { parseArgs } from "node:util";
import type { Db } from "#core";
import { gatewayLine, putGatewayLine, type GatewayLine } from "#metering/gateways";
import { Listens } from "#headend/uplinks";
import { readConfig } from "#config";
import { withServices } from "../installation.ts";
import { serialOption, tcpOption } from "./lineOptions.ts";
import { orUsage, UsageError } from "../usage.ts";

const usage = `line NUMBER [--tcp HOST:PORT | --serial PATH [--baud 9600] [--data-bits 8] [--parity none] [--stop-bits 1]
       [--sign-on mode_e]]
     [--listen p1 | wmbus_lines | wmbus_stick | off] [--hello HEX]`;

/** Prints the line of a gateway, or changes it. */
export async function main(args: string[]): Promise<number> {
  const line = await withServices(readConfig(), ({ database }) => setLine(database.system, args));
  console.log(JSON.stringify(line));
  return 0;
}

/**
 * Changes the settings named by the arguments, and records it in the log of the company; without options
 * nothing is written. Errors: UsageError that names the argument.
 */
export async function setLine(db: Db, args: readonly string[]): Promise<GatewayLine> {
  const { values, positionals } = parsed(args);
  const [number, ...more] = positionals;
  if (number === undefined || more.length > 0) throw new UsageError(usage);
  const wanted = { ...wayOf(values), ...heardOf(values) };
  return db.transaction().execute(async (trx) => {
    const gateway = await gatewayLine(trx, number);
    if (!gateway) throw new UsageError(`NUMBER: there is no gateway ${number}`);
    const line = { ...gateway.line, ...wanted };
    if (line.listens !== null && line.serial === null && line.host === null)
      throw new UsageError("--listen wants a line: --tcp or --serial");
    if (Object.keys(wanted).length > 0) await putGatewayLine(trx, gateway, line);
    return line;
  });
}

type Values = ReturnType<typeof parsed>["values"];

function parsed(args: readonly string[]) {
  return orUsage(usage, () =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        tcp: { type: "string" },
        serial: { type: "string" },
        baud: { type: "string", default: "9600" },
        "data-bits": { type: "string", default: "8" },
        parity: { type: "string", default: "none" },
        "stop-bits": { type: "string", default: "1" },
        "sign-on": { type: "string" },
        listen: { type: "string" },
        hello: { type: "string", default: "" },
      },
    }),
  );
}

function wayOf(values: Values): Partial<GatewayLine> {
  const { tcp, serial } = values;
  if (tcp !== undefined && serial !== undefined)
    throw new UsageError("--tcp and --serial exclude each other");
  if (tcp !== undefined) {
    return { ...tcpOption(tcp), serial: null };
  }
  if (serial === undefined) return {};
  const wanted = {
    path: serial,
    baud_rate: Number(values.baud),
    data_bits: Number(values["data-bits"]),
    parity: values.parity,
    stop_bits: Number(values["stop-bits"]),
    ...(values["sign-on"] === undefined ? {} : { sign_on: values["sign-on"] }),
  };
  serialOption(wanted);
  return { host: null, port: null, serial: wanted };
}

function heardOf({ listen, hello }: Values): Partial<GatewayLine> {
  if (listen === undefined) return {};
  if (listen === "off") return { listens: null };
  const checked = Listens.safeParse({ to: listen, hello });
  if (checked.success) return { listens: checked.data };
  const [field] = checked.error.issues[0]?.path ?? [];
  throw new UsageError(`--${field === "hello" ? "hello" : "listen"} cannot be used\n\n${usage}`);
}
