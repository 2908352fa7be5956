import { members, users, type Member } from "@metrum/contract/access";
import type { TFunction } from "i18next";
import { ignoreFailure, refetch, send } from "#lib/call";
import { confirm } from "#ui/dialog";

/** Switching off ends all sessions of the user, so it asks for confirmation. */
export async function isSureToSwitch({ name }: Member, isOn: boolean, t: TFunction) {
  if (isOn) return true;
  return confirm({
    title: t("switchOff.title", { name }),
    text: t("switchOff.text"),
    action: t("switchOff.action"),
    isHarmful: true,
  });
}

/** Whether a user may sign in. The call reports a refusal, and the list shows the state. */
export async function switchMember({ id }: Member, is_active: boolean): Promise<void> {
  await send(members.switch, { params: { id: String(id) }, body: { is_active } })
    .then(() => refetch(users.list))
    .catch(ignoreFailure);
}
