import { parseArgs } from "node:util";
import { searchMeters, type FoundMeter, type SearchResult } from "@metrum/protocols/mbus";
import { loadSerial, openTcp, type Channel } from "#headend/channels";
import { systemClock } from "#core";
import { recordExchange } from "#headend/exchanges";
import { converse } from "#headend/dialogue";
import { serialOption, tcpOption } from "./lineOptions.ts";
import { orUsage, UsageError } from "../usage.ts";

const usage = `search --tcp HOST:PORT | --serial PATH [--parity even] [--baud 2400] [--mask 1234FFFF]
Finds the M-Bus meters of a line by their numbers and prints each when it is found. Polling of the line must rest meanwhile: most converters take one caller.`;

/** At 300 baud a line of meters with numbers of a common prefix takes hours. */
const sessionMs = 4 * 3_600_000;

/**
 * Prints each meter of a line when it is found, a line of JSON each, and the whole result at the end. Exit code
 * 1: a collision could not be resolved.
 */
export async function main(args: string[]): Promise<number> {
  const found = await search(args, (meter) => console.log(JSON.stringify({ found: meter })));
  console.log(JSON.stringify(found));
  return found.unresolved.length === 0 && found.isComplete ? 0 : 1;
}

/**
 * Searches a line for M-Bus meters; `onFound` receives each when it is found. Errors: UsageError that names the
 * argument; LineLost.
 */
export async function search(
  args: readonly string[],
  onFound: (meter: FoundMeter) => void = () => undefined,
): Promise<SearchResult> {
  const values = parsed(args);
  const baud = Number(values.baud);
  if (!Number.isInteger(baud) || baud < 300 || baud > 115_200)
    throw new UsageError("--baud is a speed from 300 to 115200");
  if (!/^[0-9F]{8}$/i.test(values.mask))
    throw new UsageError("--mask is eight digits, F for those that may be any");
  const channel = await opened(values, baud);
  try {
    return await converse(searchMeters({ baud, mask: values.mask, onFound }), {
      channel,
      clock: systemClock,
      exchange: recordExchange(systemClock),
      sessionMs,
    });
  } finally {
    channel.close();
  }
}

type Values = ReturnType<typeof parsed>;

function parsed(args: readonly string[]) {
  return orUsage(usage, () =>
    parseArgs({
      args: [...args],
      options: {
        tcp: { type: "string" },
        serial: { type: "string" },
        parity: { type: "string", default: "even" },
        baud: { type: "string", default: "2400" },
        mask: { type: "string", default: "FFFFFFFF" },
      },
    }),
  ).values;
}

async function opened({ tcp, serial, parity }: Values, baud: number): Promise<Channel> {
  if ((tcp === undefined) === (serial === undefined)) throw new UsageError(usage);
  if (tcp !== undefined) return openTcp(tcpOption(tcp));
  const target = serialOption({ path: serial, baud_rate: baud, data_bits: 8, parity, stop_bits: 1 });
  return (await loadSerial())(target);
}
