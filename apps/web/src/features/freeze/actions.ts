import { control } from "@metrum/contract/headend";
import type { TFunction } from "i18next";
import { exchange } from "#lib/call";
import { change } from "#ui/change";
import { askText, confirm } from "#ui/dialog";

/** Interval at which an open screen looks whether control is stopped. */
export const everyMs = 15_000;

const mostReason = 255;

/** What staff of the provider stop: a company, or (null) the whole installation. */
export type Place = { readonly id: number; readonly name: string } | null;
type Words = TFunction<"freeze">;

const wordsOf = (place: Place, t: Words, what: "stop" | "release") =>
  place === null
    ? { title: t(`${what}.whole`), text: t(`${what}.wholeText`) }
    : { title: t(`${what}.company`, { name: place.name }), text: t(`${what}.companyText`) };

const send = (place: Place, body: { readonly is_frozen: boolean; readonly reason?: string }) =>
  change(
    () => exchange(control.freeze, { body: place === null ? body : { ...body, company_id: place.id } }),
    { refreshed: [control.freezes, control.state] },
  );

/** Asks for the reason and stops outgoing actuation. True when it was stopped. */
export async function askFreeze(place: Place, t: Words): Promise<boolean> {
  const reason = await askText({
    ...wordsOf(place, t, "stop"),
    label: t("reason"),
    hint: t("reasonHint"),
    action: t("stop.action"),
    isHarmful: true,
    isRequired: true,
    minLength: 1,
    maxLength: mostReason,
    size: 450,
  });
  return reason !== null && send(place, { is_frozen: true, reason });
}

/** Asks for confirmation and releases outgoing actuation. True when it was released. */
export async function askRelease(place: Place, t: Words): Promise<boolean> {
  const isSure = await confirm({
    ...wordsOf(place, t, "release"),
    action: t("release.action"),
    size: 450,
  });
  return isSure && send(place, { is_frozen: false });
}
