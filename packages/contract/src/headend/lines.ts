import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, IdText, listInput, Nothing, paged, Seconds, ShortText } from "../core/values.ts";
import { ExchangeStep, pollResults, type PollResult } from "./exchanges.ts";

/** Maximum lines of a company; of them receivers, whose connection is never closed. */
export const mostLines = 5_000;
export const mostReceivers = 500;
/** Maximum tests of a company in a minute, so that they cannot be used to scan a network. */
export const mostLineTests = 20;

/** What the server opens: a connection to a converter, or a serial port of its machine. */
export const lineWays = ["tcp", "serial"] as const;
export type LineWay = (typeof lineWays)[number];

/** What a receiver delivers: telegrams of a P1 port, or of a wireless M-Bus receiver. */
export const receivers = ["p1", "wmbus_lines", "wmbus_stick"] as const;
export type Receiver = (typeof receivers)[number];

/** Speeds at which a serial port is opened. */
export const lineSpeeds = [
  300, 600, 1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600,
] as const;
export const parities = ["none", "even", "odd"] as const;

/**
 * `open`: connected now; `ready`: a serial port that can be opened; `idle`: opened for the next poll; `lost`:
 * a receiver without connection, which is tried again; `missing`: no process has the serial port; `off`: its
 * gateway is switched off.
 */
export const linkStates = ["open", "ready", "idle", "lost", "missing", "off"] as const;
export type LinkState = (typeof linkStates)[number];

export const lineSortFields = ["id", "name", "device_id", "host"] as const;

/** A name or an address, without scheme and port. */
const Host = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(253),
    z.regex(
      /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*|[0-9a-f:.]*:[0-9a-f:.]*)$/,
    ),
  );
const Port = z.int().check(z.gte(1), z.lte(65_535));
const Address = z.object({
  host: Host.check(z.describe("on the public network, or named by METRUM_OUTGOING_HOSTS")),
  port: Port.check(z.describe("below 1024 only 23 and 502")),
});
const Serial = z.object({
  path: z.string().check(z.minLength(1), z.maxLength(200)),
  baud_rate: z.literal([...lineSpeeds]),
  data_bits: z.literal([7, 8]),
  parity: z.enum(parities),
  stop_bits: z.literal([1, 2]),
  sign_on: z
    .optional(z.literal("mode_e"))
    .check(z.describe("optical head on which DLMS meters are opened by an IEC 62056-21 sign-on")),
});
export type LineSerial = z.infer<typeof Serial>;
const Listens = z.object({
  to: z.enum(receivers),
  hello: z
    .string()
    .check(z.regex(/^([0-9a-f]{2}){0,32}$/i), z.describe("bytes that start the receiver, hexadecimal")),
});

/** The line of a gateway that the server opens. */
export const Line = z.object({
  id: Id.check(z.describe("of its gateway")),
  name: z.string(),
  device_id: z.string(),
  model_id: z.int(),
  model_title: z.string(),
  way: z.enum(lineWays),
  tcp: z.nullable(z.object({ host: z.string(), port: z.int() })),
  serial: z.nullable(
    z.object({
      path: z.string(),
      baud_rate: z.int(),
      data_bits: z.int(),
      parity: z.enum(parities),
      stop_bits: z.int(),
      sign_on: z.optional(z.literal("mode_e")),
    }),
  ),
  listens: z.nullable(z.object({ to: z.enum(receivers), hello: z.string() })),
  state: z.enum(linkStates),
  devices_count: z
    .int()
    .check(z.describe("devices behind it that the user sees, archive and trash excluded")),
  silent_count: z.int(),
  last_contact_at: z.nullable(Seconds).check(z.describe("of the gateway or of a device behind it")),
});
export type Line = z.infer<typeof Line>;

export const LineListInput = z.object({
  ...listInput,
  paginate: z.optional(z.boolean()),
  sort_field: z.optional(z.enum(lineSortFields)),
  way: z.optional(z.enum(lineWays)),
  is_receiver: z.optional(z.boolean()),
});
export type LineListInput = z.infer<typeof LineListInput>;

const LineInput = z.object({
  gateway_id: Id,
  tcp: z.optional(Address),
  serial: z.optional(Serial).check(z.describe("instead of tcp; a port is assigned by staff of the provider")),
  listens: z
    .optional(z.nullable(Listens))
    .check(z.describe("null: the devices are polled; absent: unchanged")),
});
export type LineInput = z.infer<typeof LineInput>;

/** Outcome of a test, by the names of the exchange log. */
const TestResult = z.enum(Object.keys(pollResults) as [PollResult, ...PollResult[]]);

/** Why a line could not be opened. */
export const lineFaults = [
  "not_allowed",
  "name_unknown",
  "not_listening",
  "no_route",
  "no_answer",
  "closed",
  "other",
] as const;
export type LineFault = (typeof lineFaults)[number];

/** A test and its bytes. */
export const LineTest = z.object({
  result: TestResult,
  fault: z.nullable(z.enum(lineFaults)).check(z.describe("of a line that could not be opened")),
  model_id: z.nullable(z.int()).check(z.describe("model that answered")),
  title: z.string().check(z.describe("of the device that answered; empty: none")),
  resource: z.nullable(z.string()).check(z.describe("of the model, for the names of fields")),
  received_bytes: z.int(),
  duration_ms: z.int(),
  steps: z.array(ExchangeStep),
});
export type LineTest = z.infer<typeof LineTest>;

const reads = "4:read|4:access_all";
const updates = "4:update|4:access_all";
const refusals = [
  "not_found",
  "tied_devices_only",
  "gateway_in_trash",
  "gateway_archived",
  "demo_refused",
] as const;

/** Lines that the server opens to the gateways of a company. */
export const lines = {
  list: call({
    id: "line.list",
    isOwn: true,
    rows: "lines.data",
    method: "POST",
    path: "device/lines",
    right: reads,
    reach: "branch",
    summary: "Lines that the server opens to gateways of the company, with their state",
    body: LineListInput,
    reply: z.object({ lines: paged(Line) }),
  }),
  ports: call({
    id: "line.ports",
    isOwn: true,
    method: "GET",
    path: "device/line/ports",
    right: reads,
    reach: "common",
    summary:
      "Serial ports of the installation, for staff of the provider, who assign them; for others those of their own lines",
    reply: z.object({
      ports: z.array(z.object({ path: z.string(), is_taken: z.boolean() })),
      may_assign: z.boolean(),
    }),
  }),
  save: call({
    id: "line.save",
    isOwn: true,
    method: "PUT",
    path: "device/line/save",
    right: updates,
    reach: "branch",
    summary: "Sets the line of a gateway that the server connects to; receivers are connected within seconds",
    body: LineInput,
    reply: z.object({ line: Line }),
    problems: [...refusals, "line_limit", "receiver_limit"],
  }),
  remove: call({
    id: "line.remove",
    isOwn: true,
    method: "DELETE",
    path: "device/line/:id",
    right: updates,
    reach: "branch",
    summary: "Removes the line of a gateway: devices behind it are no longer read",
    params: z.object({ id: IdText }),
    reply: Nothing,
    problems: refusals,
  }),
  test: call({
    id: "line.test",
    isOwn: true,
    method: "POST",
    path: "device/line/test",
    right: updates,
    reach: "branch",
    summary:
      "Opens the line of a gateway and listens, or identifies a meter; nothing is written to a device and no reading is stored",
    body: z.object({
      gateway_id: Id,
      kind: z.enum(["listen", "ask"]),
      model_id: z.optional(Id).check(z.describe("model to try; absent: common ones in turn")),
      inside_addr: z.optional(ShortText),
    }),
    reply: z.object({ test: LineTest }),
    problems: [...refusals, "unknown_model", "line_not_set", "line_busy", "line_test_limit"],
  }),
};
