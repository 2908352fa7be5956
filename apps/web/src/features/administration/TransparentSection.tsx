import {
  bridge,
  bridgeEnds,
  modelClasses,
  transparentSortFields,
  type TransparentPort,
} from "@metrum/contract/headend";
import { exchange, ignoreFailure, refetch } from "#lib/call";
import { formatDateTime } from "#lib/format";
import { IconButton } from "#ui/button";
import { confirm } from "#ui/dialog";
import { columnsOf, defineList, ListView, only, pageInput, search, useList, type Words } from "#ui/list";
import { snack } from "#ui/snackbar";
import { Status, type StatusKind } from "#ui/status";

const kindOf = (row: TransparentPort, { t }: Words) =>
  row.model_class_id === modelClasses.gateway ? ` (${t("bridge.gateway")})` : "";

function stateOf({ is_active, end }: TransparentPort, { t }: Words) {
  const kind: StatusKind = is_active ? "ok" : "off";
  if (is_active) return { kind, text: t("bridge.open") };
  return { kind, text: t(end === null ? "bridge.closed" : `bridge.end.${end}`) };
}

function CloseButton({ row, t }: { readonly row: TransparentPort } & Pick<Words, "t">) {
  if (!row.is_active) return null;
  const port = String(row.port);
  const close = async (): Promise<void> => {
    const isSure = await confirm({
      title: t("bridge.closeTitle", { port }),
      text: t("bridge.closeText"),
      action: t("bridge.closeAction"),
      isHarmful: true,
    });
    if (!isSure) return;
    const { msg } = await exchange(bridge.close, { params: { id: String(row.id) } });
    snack(msg);
    await refetch(bridge.list);
  };
  return (
    <IconButton
      icon="close"
      label={t("bridge.close", { port, name: row.name })}
      // The call itself reports the failure.
      onClick={() => void close().catch(ignoreFailure)}
    />
  );
}

function PhoneRow({ row, context }: { readonly row: TransparentPort; readonly context: Words }) {
  const { kind, text } = stateOf(row, context);
  return (
    <span className="administration-phone administration-port">
      <b>{row.name}</b>
      <Status kind={kind}>{text}</Status>
      <small>{row.company_name}</small>
      <small>{`${String(row.port ?? "—")} · ${row.address}`}</small>
      <CloseButton row={row} t={context.t} />
    </span>
  );
}

const { cell, text, status, actions } = columnsOf<TransparentPort>();
const title = (id: string) => ({ title: `bridge.${id}` });

const portList = defineList({
  call: bridge.list,
  key: "adminTransparent",
  texts: ["administration"],
  label: "section.transparent",
  empty: "bridge.empty",
  input: (state) => {
    const sort_field = transparentSortFields.find((each) => each === state.sort?.field);
    const isOpenOnly = state.filters["state"]?.[0] === "open";
    return {
      body: {
        ...pageInput(state),
        ...(sort_field ? { sort_field } : {}),
        ...(isOpenOnly ? { is_active: true } : {}),
      },
    };
  },
  answer: ({ data, total }) => ({ rows: data, total }),
  rowKey: (row: TransparentPort) => String(row.id),
  filters: [search("bridge.search"), only("state", "open", "bridge.only")],
  columns: [
    cell(
      "name",
      180,
      {
        value: (row, context) => `${row.name}${kindOf(row, context)}`,
        cell: (row, context) => (
          <>
            <b>{row.name}</b>
            {kindOf(row, context)}
          </>
        ),
      },
      { ...title("name"), sort: "name", isName: true, file: "name" },
    ),
    status("state", 200, stateOf, {
      ...title("state"),
      file: [
        { of: "is_active", words: ({ t }) => ({ true: t("bridge.open"), false: t("bridge.closed") }) },
        {
          of: "end",
          title: "bridge.closed",
          words: ({ t }) => Object.fromEntries(bridgeEnds.map((end) => [end, t(`bridge.end.${end}`)])),
        },
      ],
    }),
    actions("actions", 90, (row, { t }) => <CloseButton row={row} t={t} />, title("actions")),
    text("port", 70, (row) => String(row.port ?? "—"), { ...title("port"), align: "right", file: "port" }),
    text("until", 130, (row, { zone }) => formatDateTime(row.ends_at, zone), {
      ...title("until"),
      align: "right",
      file: { of: "ends_at", shows: "time" },
    }),
    text(
      "bytes",
      170,
      (row, { number }) => `${number(row.bytes_sent, 0)} / ${number(row.bytes_received, 0)}`,
      {
        ...title("bytes"),
        align: "right",
        file: [
          { of: "bytes_sent", title: "bridge.sent" },
          { of: "bytes_received", title: "bridge.received" },
        ],
      },
    ),
    text("address", 120, (row) => row.address, { ...title("address"), file: "address" }),
    text("company", 180, (row) => row.company_name, { ...title("company"), file: "company_name" }),
    text("user", 160, (row) => row.user_name, { ...title("user"), file: "user_name" }),
  ],
  phone: (row, context) => <PhoneRow row={row} context={context} />,
});

/** Transparent ports of every company, open and closed. */
export function TransparentSection() {
  return <ListView list={useList(portList, {})} />;
}
