import {
  lines,
  lineSpeeds,
  parities,
  receivers,
  type Line,
  type LineInput,
  type LineSerial,
} from "@metrum/contract/headend";
import { useTranslation } from "react-i18next";
import { GatewayField, isPermitted } from "#carriers";
import { exchange, reasonOf, refetch, useCall } from "#lib/call";
import { NumberField, Segmented, SelectField, TextField } from "#ui/field";
import { FormDialog, useForm, type FormState } from "#ui/form";
import type { Picked } from "#ui/picker";
import { ErrorState } from "#ui/states";
import { refreshed } from "./actions.ts";
import { formatOf } from "./lines.ts";

interface Props {
  /** The line to change; null makes a new one. */
  readonly line: Line | null;
  readonly onClose: () => void;
}

/** Fields of the form by the path of the server, where they differ. */
const fieldNames = {
  gateway_id: "gateway",
  "tcp.host": "host",
  "tcp.port": "port",
  "serial.path": "path",
  "serial.data_bits": "format",
  "listens.hello": "hello",
} as const;

/** Makes or changes the line of a gateway that the server connects to. */
export function LineDialog({ line, onClose }: Props) {
  const { t } = useTranslation("lines");
  const form = useForm({
    stored: valuesOf(line),
    names: fieldNames,
    check: faultsOf,
    send: async (values, options) =>
      isPermitted(lines.save) ? exchange(lines.save, { body: bodyOf(values) }, options) : undefined,
    onSaved: async () => {
      onClose();
      await refetch(...refreshed);
    },
  });
  const { values } = form;
  return (
    <FormDialog
      form={form}
      title={line ? t("form.edit", { name: line.name }) : t("form.new")}
      size={618}
      action={t(line ? "form.save" : "form.create")}
      onClose={onClose}
      className="line-form"
    >
      {line ? null : (
        <GatewayField
          label={t("form.gateway")}
          hint={t("form.gatewayHint")}
          {...form.field("gateway")}
          isRequired
          connection="tcp_client"
          data-autofocus
        />
      )}
      <Segmented
        name="way"
        label={t("form.way")}
        value={values.way}
        onValue={(way) => form.set({ way })}
        options={(["tcp", "serial"] as const).map((value) => ({ value, title: t(`way.${value}`) }))}
      />
      {values.way === "tcp" ? <Address form={form} /> : <Port form={form} />}
      <Listening form={form} />
    </FormDialog>
  );
}

interface PartProps {
  readonly form: FormState<Values>;
}

function Address({ form }: PartProps) {
  const { t } = useTranslation("lines");
  return (
    <div className="line-pair is-address">
      <TextField
        label={t("form.host")}
        hint={t("form.hostHint")}
        {...form.field("host")}
        isRequired
        maxLength={253}
        autoComplete="off"
        inputMode="url"
      />
      <NumberField
        label={t("form.port")}
        {...form.field("port")}
        isRequired
        min={1}
        max={65_535}
        decimals={0}
      />
    </div>
  );
}

/** Ports are assigned by staff of the provider: others choose among those of their company. */
function Port({ form }: PartProps) {
  const { t } = useTranslation("lines");
  const { data, error, refetch: again } = useCall(lines.ports, {}, { isQuiet: true });
  const { path } = form.values;
  const offered = (data?.ports ?? []).filter((port) => !port.is_taken).map((port) => port.path);
  const paths = path === "" || offered.includes(path) ? offered : [path, ...offered];
  if (error)
    return <ErrorState title={t("form.noPorts")} message={reasonOf(error)} onRetry={() => void again()} />;
  if (data && paths.length === 0)
    return <p className="line-note">{t(data.may_assign ? "form.noPort" : "form.askStaff")}</p>;
  return (
    <>
      <SelectField
        label={t("form.path")}
        {...form.field("path")}
        isRequired
        placeholder={t("form.choosePort")}
        options={paths.map((value) => ({ value, title: value }))}
      />
      <div className="line-pair">
        <SelectField
          label={t("form.speed")}
          hint={t("form.speedHint")}
          {...form.field("speed")}
          options={lineSpeeds.map((speed) => ({ value: String(speed), title: String(speed) }))}
        />
        <SelectField
          label={t("form.format")}
          {...form.field("format")}
          options={formats.map(({ id }) => ({ value: id, title: id }))}
        />
        <SelectField
          label={t("form.signOn")}
          hint={t("form.signOnHint")}
          {...form.field("sign_on")}
          options={(["", "mode_e"] as const).map((value) => ({
            value,
            title: t(`form.signOnOf.${value === "" ? "none" : value}`),
          }))}
        />
      </div>
    </>
  );
}

function Listening({ form }: PartProps) {
  const { t } = useTranslation("lines");
  return (
    <div className="line-pair">
      <SelectField
        label={t("form.use")}
        {...form.field("listens")}
        options={[
          { value: "", title: t("polled") },
          ...receivers.map((value) => ({ value, title: t(`listens.${value}`) })),
        ]}
      />
      {form.values.listens === "" ? null : (
        <TextField
          label={t("form.hello")}
          hint={t("form.helloHint")}
          {...form.field("hello")}
          maxLength={64}
          autoComplete="off"
        />
      )}
    </div>
  );
}

interface Format extends Pick<LineSerial, "data_bits" | "parity" | "stop_bits"> {
  readonly id: string;
}

const formats: readonly Format[] = ([8, 7] as const).flatMap((data_bits) =>
  parities.flatMap((parity) =>
    ([1, 2] as const).map((stop_bits) => ({
      id: formatOf({ data_bits, parity, stop_bits }),
      data_bits,
      parity,
      stop_bits,
    })),
  ),
);

interface Values {
  readonly gateway: Picked | null;
  readonly way: "tcp" | "serial";
  readonly host: string;
  readonly port: number | null;
  readonly path: string;
  readonly speed: string;
  readonly format: string;
  readonly sign_on: string;
  readonly listens: string;
  readonly hello: string;
}

const fresh: Values = {
  gateway: null,
  way: "tcp",
  host: "",
  port: null,
  path: "",
  speed: "9600",
  format: "8N1",
  sign_on: "",
  listens: "",
  hello: "",
};

function valuesOf(line: Line | null): Values {
  if (line === null) return fresh;
  const { id, name, way, tcp, serial, listens } = line;
  return {
    ...fresh,
    gateway: { id: String(id), title: name },
    way,
    ...tcp,
    ...(serial ? { ...portOf(serial), sign_on: serial.sign_on ?? "" } : {}),
    ...(listens ? { listens: listens.to, hello: listens.hello } : {}),
  };
}

const portOf = (serial: NonNullable<Line["serial"]>) => ({
  path: serial.path,
  speed: String(serial.baud_rate),
  format: formatOf(serial),
});

/** Missing input that the server would refuse. */
function faultsOf({ gateway, way, host, port, path }: Values) {
  const missing = (is: boolean) => (is ? ("required" as const) : undefined);
  return {
    gateway: missing(gateway === null),
    host: missing(way === "tcp" && host.trim() === ""),
    port: missing(way === "tcp" && port === null),
    path: missing(way === "serial" && path === ""),
  };
}

function bodyOf({ gateway, way, host, port, ...values }: Values): LineInput {
  const to = receivers.find((each) => each === values.listens);
  return {
    gateway_id: Number(gateway?.id),
    ...(way === "tcp" ? { tcp: { host: host.trim(), port: port ?? 0 } } : { serial: serialOf(values) }),
    listens: to ? { to, hello: values.hello.replaceAll(/\s/g, "") } : null,
  };
}

function serialOf({
  path,
  speed,
  format,
  sign_on,
}: Pick<Values, "path" | "speed" | "format" | "sign_on">): LineSerial {
  const [usual] = formats;
  const {
    data_bits = 8,
    parity = "none",
    stop_bits = 1,
  } = formats.find(({ id }) => id === format) ?? usual ?? {};
  return {
    path,
    baud_rate: lineSpeeds.find((each) => String(each) === speed) ?? 9600,
    ...{ data_bits, parity, stop_bits },
    ...(sign_on === "mode_e" ? { sign_on } : {}),
  };
}
