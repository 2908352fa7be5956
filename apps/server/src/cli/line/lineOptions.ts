import { serialTarget, type SerialTarget } from "#headend/channels";
import { UsageError } from "../usage.ts";

/** Host and port of a converter. Errors: UsageError. */
export function tcpOption(text: string): { readonly host: string; readonly port: number } {
  const [, host, port] = /^\[?([^\]\s]+?)\]?:(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw new UsageError("--tcp is to be HOST:PORT");
  return { host, port: Number(port) };
}

/** A serial port of this machine. Errors: UsageError that names the fault. */
export function serialOption(wanted: object): SerialTarget {
  const checked = serialTarget(wanted);
  if (typeof checked === "string") throw new UsageError(checked);
  return checked;
}
