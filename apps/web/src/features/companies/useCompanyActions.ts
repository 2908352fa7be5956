import { companies } from "@metrum/contract/access";
import { control } from "@metrum/contract/headend";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { askFreeze, askRelease, everyMs } from "#freeze";
import { exchange, ignoreFailure, send, useCall } from "#lib/call";
import { useAllowed, useSession } from "#lib/session";
import { askChoice } from "#ui/dialog";
import { snack } from "#ui/snackbar";
import { changed, deleteCompany, enterCompany, restoreCompany, switchCompany } from "./actions.ts";
import type { TreeRow } from "./companies.ts";
import type { CompanyActions } from "./CompanyMenu.tsx";

/** The company in the form: an existing one, or a new one below another. */
export interface Editing {
  readonly company: TreeRow["company"] | null;
  readonly parent: Pick<TreeRow["company"], "id" | "name" | "active_modules" | "timezone_name">;
}

const mostDealers = 1_000;

/** Permitted actions on companies, and the open form. */
export function useCompanyActions(rows: readonly TreeRow[]) {
  const { t } = useTranslation(["companies", "common"]);
  const { access, company: own } = useSession();
  const words = useTranslation("freeze").t;
  const [editing, setEditing] = useState<Editing | null>(null);
  const may = {
    create: useAllowed("2:create"),
    update: useAllowed("2:update"),
    remove: useAllowed("2:delete"),
  };
  const isStaff = access.is_platform;
  const freezes = useCall(control.freezes, {}, { isQuiet: true, isEnabled: isStaff, everyMs }).data?.freezes;
  const actions = useMemo((): CompanyActions => {
    const parentOf = ({ company }: TreeRow) =>
      rows.find((each) => each.company.id === company.parent_id)?.company ?? own;
    return {
      enter: ({ company }) => void enterCompany(company).catch(ignoreFailure),
      edit: may.update ? (row) => setEditing({ company: row.company, parent: parentOf(row) }) : undefined,
      add: may.create ? ({ company }) => setEditing({ company: null, parent: company }) : undefined,
      move: isStaff ? ({ company }) => void moveCompany(company) : undefined,
      toggle: may.update ? ({ company }) => void switchCompany(company, t) : undefined,
      remove: may.remove ? ({ company }) => void deleteCompany(company, t) : undefined,
      restore: isStaff ? ({ company }) => void restoreCompany(company) : undefined,
      stopControl: isStaff ? ({ company }) => void askFreeze(company, words) : undefined,
      releaseControl: isStaff ? ({ company }) => void askRelease(company, words) : undefined,
      isFrozen: ({ company }) => freezes?.some(({ company_id }) => company_id === company.id) ?? false,
    };
    async function moveCompany(company: TreeRow["company"]): Promise<void> {
      const body = { sort_field: "is_dealer", sort: "desc", per_page: mostDealers } as const;
      const { data } = (await send(companies.list, { body })).companies;
      const dealers = data.filter(
        (each) => each.is_dealer && each.id !== company.id && each.id !== company.parent_id,
      );
      if (dealers.length === 0) {
        snack(t("move.none"));
        return;
      }
      const chosen = await askChoice({
        title: t("move.title", { name: company.name }),
        text: t("move.text"),
        label: t("move.label"),
        action: t("move.action"),
        options: dealers.map(({ id, name }) => ({ value: String(id), title: name })),
        size: 450,
      });
      if (chosen === null) return;
      const input = { params: { id: String(company.id) }, body: { parent_id: Number(chosen) } };
      await changed(() => exchange(companies.move, input));
    }
  }, [rows, own, may.create, may.update, may.remove, isStaff, freezes, t, words]);
  const add = may.create && own.is_dealer ? () => setEditing({ company: null, parent: own }) : undefined;
  return { actions, editing, add, close: () => setEditing(null) };
}
