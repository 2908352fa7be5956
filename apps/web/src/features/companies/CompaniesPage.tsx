import { companies } from "@metrum/contract/access";
import { Suspense, type KeyboardEvent } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { useFormat, useNow } from "#lib/format";
import { useSession } from "#lib/session";
import { Button, buttonClass } from "#ui/button";
import { Segmented } from "#ui/field";
import { useListState } from "#ui/grid";
import { ListView, useListOf } from "#ui/list";
import { DeniedState } from "#ui/states";
import { StatusGlyph } from "#ui/status";
import { isTree, listBody, type States, type TreeRow } from "./companies.ts";
import { companyList } from "./companyList.tsx";
import "./companies.css";
import { useCompanyActions } from "./useCompanyActions.ts";
import { useCompanyTree } from "./useCompanyTree.ts";

const CompanyDialog = lazily(async () => ({
  default: (await import("./CompanyDialog.tsx")).CompanyDialog,
}));

/** Only dealers have companies below them. */
export function CompaniesPage() {
  const { t } = useTranslation("shell");
  const { company } = useSession();
  return company.is_dealer ? (
    <Companies />
  ) : (
    <DeniedState>
      <a className={buttonClass()} href="#/cloud">
        {t("withoutAccess.toCloud")}
      </a>
    </DeniedState>
  );
}

/** Companies below one's own. Search, state, sorting and paging are kept in the address. */
function Companies() {
  const { t } = useTranslation("companies");
  const { access } = useSession();
  const now = useNow();
  const address = useListState(companyList.key, companyList.defaults);
  const { state, change } = address;
  const { query, rows, toggle, total, rowsAbove, states } = useCompanyTree(state);
  const { actions, editing, add, close } = useCompanyActions(rows);
  const context = { now, states, seesDeleted: access.is_platform, onToggle: toggle, actions };
  // A file has the whole branch, not the page of the tree.
  const saved = {
    call: companies.list,
    input: { body: listBody(state, undefined) },
    total: isTree(state) ? states?.all : total,
  };
  const list = useListOf(companyList, context, { address, query, answer: { rows, total }, saved });
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rowAt(event, rows);
    if (row === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const opens = event.key === "ArrowRight" && row.isOpen === false;
    const closes = event.key === "ArrowLeft" && row.isOpen === true;
    const edit = event.code === "KeyE" && !row.isOwn ? actions.edit : undefined;
    if (!opens && !closes && !edit) return;
    event.preventDefault();
    event.stopPropagation();
    if (edit) edit(row);
    else toggle(row);
  };
  const ownDevices = rows.find(({ isOwn }) => isOwn)?.company.device_count;
  const tools = (
    <span className="companies-views">
      <Segmented
        name="view"
        label={t("views")}
        value={isTree(state) ? "tree" : "list"}
        onValue={(value) => change({ q: "", filters: { view: value === "list" ? ["list"] : [] } })}
        options={[
          { value: "tree", title: t("view.tree") },
          { value: "list", title: t("view.list") },
        ]}
      />
    </span>
  );
  return (
    <section className="companies list-page">
      <Head states={states} devices={ownDevices} onAdd={add} />
      <div className="companies-table" onKeyDownCapture={onKeyDown}>
        <ListView list={list} {...{ tools, rowsAbove }} footNote={t("note")} isImmediate />
      </div>
      <Legend />
      {editing ? (
        <Suspense fallback={null}>
          <CompanyDialog {...editing} onClose={close} />
        </Suspense>
      ) : null}
    </section>
  );
}

interface HeadProps {
  readonly states: States | undefined;
  /** Devices of the whole branch; unknown while the list is filtered. */
  readonly devices: number | undefined;
  readonly onAdd: (() => void) | undefined;
}

function Head({ states, devices, onAdd }: HeadProps) {
  const { t } = useTranslation("companies");
  const { number } = useFormat();
  const facts = [
    states ? t("facts", { count: states.all, shown: number(states.all, 0) }) : null,
    devices === undefined ? null : t("deviceCount", { count: devices, shown: number(devices, 0) }),
  ];
  return (
    <header className="companies-head">
      <h1>{t("title")}</h1>
      <p>{facts.filter((each) => each !== null).join(", ")}</p>
      {onAdd ? (
        <Button kind="primary" icon="plus" onClick={onAdd}>
          {t("add")}
        </Button>
      ) : null}
    </header>
  );
}

/** Legend of the expiry shapes. */
function Legend() {
  const { t } = useTranslation("companies");
  const marks = [
    { id: "soon", kind: "warn", isWeak: true },
    { id: "now", kind: "warn", isWeak: false },
    { id: "expired", kind: "alarm", isWeak: false },
    { id: "off", kind: "off", isWeak: false },
  ] as const;
  return (
    <ul className="companies-legend" aria-label={t("legend.title")}>
      {marks.map(({ id, kind, isWeak }) => (
        <li key={id}>
          <StatusGlyph kind={kind} isWeak={isWeak} />
          {t(`legend.${id}`)}
        </li>
      ))}
    </ul>
  );
}

/** The row that has the focus itself, not a control in it. */
function rowAt({ target }: KeyboardEvent, rows: readonly TreeRow[]): TreeRow | undefined {
  if (!(target instanceof HTMLElement) || target.getAttribute("role") !== "row") return undefined;
  return rows[Number(target.dataset["index"])];
}
