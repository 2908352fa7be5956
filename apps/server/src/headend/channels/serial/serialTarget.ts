import { z } from "zod/mini";

/** Character format of a serial line, and its opening sequence. */
const Serial = z.object({
  /** Name of the port in the operating system: `/dev/serial/by-id/...`, `/dev/ttyUSB0`, `COM3`. */
  path: z.string().check(z.minLength(1), z.maxLength(200)),
  baud_rate: z._default(z.int().check(z.minimum(50), z.maximum(4_000_000)), 9600),
  data_bits: z._default(z.union([z.literal(7), z.literal(8)]), 8),
  parity: z._default(z.enum(["none", "even", "odd"]), "none"),
  stop_bits: z._default(z.union([z.literal(1), z.literal(2)]), 1),
  /**
   * `mode_e`: an optical head on which DLMS meters are opened by an IEC 62056-21 sign-on. HDLC then needs 8
   * data bits.
   */
  sign_on: z.optional(z.literal("mode_e")),
});

/** A serial port of the machine on which the server runs. */
export interface SerialTarget extends z.infer<typeof Serial> {
  readonly echoes?: boolean;
}

/** Parses the serial settings of a row, or names the unusable field. */
export function serialTarget(value: unknown, echoes = false): SerialTarget | string {
  const parsed = Serial.safeParse(value);
  if (parsed.success && parsed.data.sign_on === "mode_e" && parsed.data.data_bits !== 8)
    return "serial.data_bits: the sign-on of mode E wants 8";
  if (parsed.success) return { ...parsed.data, echoes };
  const [issue] = parsed.error.issues;
  return `serial.${String(issue?.path[0] ?? "")}: ${issue?.message ?? "cannot be used"}`;
}

/** Key of a serial line: a port is one line, however many devices are registered on it. */
export const serialLine = (path: string): string => `serial:${path}`;

/** Milliseconds on the wire for this number of bytes. */
export function sendingMs(
  bytes: number,
  { baud_rate, data_bits, parity, stop_bits }: Omit<SerialTarget, "path" | "sign_on">,
): number {
  const bits = 1 + data_bits + (parity === "none" ? 0 : 1) + stop_bits;
  return Math.ceil((bytes * bits * 1000) / baud_rate);
}

/** Format of the settings of a port, for comparison: "9600 8N1". */
export const serialMode = ({ baud_rate, data_bits, parity, stop_bits }: SerialTarget): string =>
  `${String(baud_rate)} ${String(data_bits)}${parity.charAt(0).toUpperCase()}${String(stop_bits)}`;
