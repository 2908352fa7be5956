import {
  lines,
  lineSpeeds,
  parities,
  receivers,
  type Line,
  type LineInput,
  type LineSerial,
  type LineWay,
  type Receiver,
} from "@metrum/contract/headend";
import { GatewayField, isPermitted } from "#carriers";
import { refetch, useCall } from "#lib/call";
import type { Picked } from "#ui/picker";
import { defineRecord, filled, RecordDialog, rowsOf } from "#ui/record";
import { refreshed } from "./actions.ts";
import { formatOf } from "./lines.ts";

interface Props {
  /** The line to change; null makes a new one. */
  readonly line: Line | null;
  readonly onClose: () => void;
}

/** Makes or changes the line of a gateway that the server connects to. */
export const LineDialog = ({ line, onClose }: Props) => (
  <RecordDialog form={lineForm} record={line} given={{}} onClose={onClose} />
);

type Frame = Pick<LineSerial, "data_bits" | "parity" | "stop_bits">;
const usual: Frame = { data_bits: 8, parity: "none", stop_bits: 1 };
const frames = ([8, 7] as const).flatMap((data_bits) =>
  parities.flatMap((parity) =>
    ([1, 2] as const).map((stop_bits): Frame => ({ data_bits, parity, stop_bits })),
  ),
);

const fresh = {
  gateway: null as Picked | null,
  way: "tcp" as LineWay,
  ...{ host: "", port: null as number | null },
  ...{ path: "", baud_rate: 9600 as LineSerial["baud_rate"], frame: usual, sign_on: null as "mode_e" | null },
  ...{ listens: null as Receiver | null, hello: "" },
};
type Values = typeof fresh;

/** Ports are assigned by staff of the provider: others choose among those of their company. */
function useAsked({ way, path }: Values) {
  const ports = useCall(lines.ports, {}, { isQuiet: true, isEnabled: way === "serial" });
  const free = (ports.data?.ports ?? []).filter((port) => !port.is_taken).map((port) => port.path);
  return { ports, paths: path === "" || free.includes(path) ? free : [path, ...free] };
}

const isTcp = ({ way }: Values) => way === "tcp";
const { text, number, select, choice, own, part, failure, group, where } = rowsOf<
  Values,
  ReturnType<typeof useAsked>
>();

const lineForm = defineRecord<Line, Values, object, ReturnType<typeof useAsked>>()({
  texts: ["lines"],
  titles: "form",
  size: 618,
  className: "line-form",
  title: (of, t) => (of ? t("form.edit", { name: of.name }) : t("form.new")),
  values: (of) => filled(fresh, of && stored(of)),
  useAsked,
  names: {
    ...{ gateway_id: "gateway", "tcp.host": "host", "tcp.port": "port", "serial.path": "path" },
    ...{ "serial.data_bits": "frame", "listens.hello": "hello" },
  },
  required: (values) => ["gateway", ...(isTcp(values) ? (["host", "port"] as const) : (["path"] as const))],
  rows: [
    ...where(
      (_, { isNew }) => isNew,
      own("gateway", (bound) => <GatewayField {...bound} connection="tcp_client" data-autofocus />, {
        hint: "form.gatewayHint",
      }),
    ),
    choice("way", ({ t }) => (["tcp", "serial"] as const).map((of) => ({ of, title: t(`way.${of}`) }))),
    ...where(
      isTcp,
      group(
        "line-pair is-address",
        text("host", { most: 253, inputMode: "url", hint: "form.hostHint" }),
        number("port", { min: 1, max: 65_535, decimals: 0 }),
      ),
    ),
    ...where(
      (values) => !isTcp(values),
      failure("form.noPorts", ({ ports }) => ports),
    ),
    ...where(
      (values, { ports, paths }) => !isTcp(values) && ports.data !== undefined && paths.length === 0,
      part("noPort", (_, { t, ports }) => (
        <p className="line-note">{t(ports.data?.may_assign ? "form.noPort" : "form.askStaff")}</p>
      )),
    ),
    ...where(
      (values, { ports, paths }) =>
        !isTcp(values) && ports.error === null && (ports.data === undefined || paths.length > 0),
      select("path", ({ paths }) => paths.map((of) => ({ of, title: of })), {
        placeholder: "form.choosePort",
      }),
      group(
        "line-pair",
        select("baud_rate", () => lineSpeeds.map((of) => ({ of, title: String(of) })), {
          hint: "form.speedHint",
        }),
        select("frame", () => frames.map((of) => ({ of, title: formatOf(of) }))),
        select(
          "sign_on",
          ({ t }) => [
            { of: null, title: t("form.signOnOf.none") },
            { of: "mode_e", title: t("form.signOnOf.mode_e") },
          ],
          { hint: "form.signOnHint" },
        ),
      ),
    ),
    group(
      "line-pair",
      select("listens", ({ t }) => [
        { of: null, title: t("polled") },
        ...receivers.map((of) => ({ of, title: t(`listens.${of}`) })),
      ]),
      ...where(({ listens }) => listens !== null, text("hello", { most: 64, hint: "form.helloHint" })),
    ),
  ],
  isPermitted,
  body: ({ gateway, way, host, port, listens, hello, frame, path, baud_rate, sign_on }): LineInput => ({
    gateway_id: Number(gateway?.id),
    ...(way === "tcp"
      ? { tcp: { host: host.trim(), port: port ?? 0 } }
      : { serial: { path, baud_rate, ...frame, ...(sign_on === null ? {} : { sign_on }) } }),
    listens: listens && { to: listens, hello: hello.replaceAll(/\s/g, "") },
  }),
  add: (body, ask) => ask(lines.save, { body }),
  change: (_, __, ask, whole) => ask(lines.save, { body: whole }),
  refresh: () => refetch(...refreshed),
});

const stored = ({ id, name, way, tcp, serial, listens }: Line) => ({
  gateway: { id: String(id), title: name },
  way,
  ...tcp,
  path: serial?.path,
  sign_on: serial?.sign_on,
  baud_rate: lineSpeeds.find((each) => each === serial?.baud_rate),
  frame: frames.find((each) => serial && formatOf(each) === formatOf(serial)),
  ...{ listens: listens?.to, hello: listens?.hello },
});
