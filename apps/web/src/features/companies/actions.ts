import { auth, companies, type Company } from "@metrum/contract/access";
import type { TFunction } from "i18next";
import { exchange, send } from "#lib/call";
import { reloadAt, startSession } from "#lib/token";
import { change } from "#ui/change";
import { askText, confirm } from "#ui/dialog";

type Words = TFunction<["companies", "common"]>;
type Named = Pick<Company, "id" | "name">;

const params = ({ id }: Named) => ({ params: { id: String(id) } });

/** Enters the company; leaving it returns to the list of companies. */
export async function enterCompany(company: Named): Promise<void> {
  const input = { ...params(company), body: { exit_point: "/cloud/companies" } };
  const { access_token } = await send(auth.enterCompany, input);
  startSession(access_token);
  reloadAt("#/cloud");
}

/**
 * Asks for confirmation with the consequences before the state changes, in either direction. True when it was
 * changed.
 */
export async function switchCompany(company: Company, t: Words): Promise<boolean> {
  const isActive = !company.is_active;
  const words = isActive ? "on" : "off";
  const isSure = await confirm({
    title: t(`switch.${words}.title`, { name: company.name }),
    text: t(`switch.${words}.text`),
    action: t(`switch.${words}.action`),
    isHarmful: !isActive,
    size: 450,
  });
  if (!isSure) return false;
  const input = { ...params(company), body: { is_active: isActive } };
  return changed(() => exchange(companies.switch, input));
}

/** Deleting requires typing the id. */
export async function deleteCompany(company: Company, t: Words): Promise<boolean> {
  const id = String(company.id);
  const typed = await askText({
    title: t("delete.title", { name: company.name }),
    text: t("delete.text"),
    label: t("delete.label", { id }),
    action: t("delete.action"),
    isHarmful: true,
    isRequired: true,
    minLength: 1,
    size: 450,
    validate: (value) => (value === id ? null : t("delete.wrong", { id })),
  });
  return typed === id && (await changed(() => exchange(companies.delete, params(company))));
}

export async function restoreCompany(company: Named): Promise<boolean> {
  return changed(() => exchange(companies.restore, params(company)));
}

/** Shows the message of the server, and refreshes every list. The call itself reports a refusal. */
export function changed(run: () => Promise<{ readonly msg: string }>): Promise<boolean> {
  return change(run, { refreshed: [companies.list] });
}
