import { pollPlan, tasks, type PollGroup, type PollPlan } from "@metrum/contract/headend";
import { useTranslation } from "react-i18next";
import { isPermitted } from "#carriers";
import { ApiError, send } from "#lib/call";
import { useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { confirm } from "#ui/dialog";
import { askNow } from "./actions.ts";
import { campaignText } from "./planWords.ts";

/**
 * Polls all devices of a group now, after a confirmation with the duration and the devices that cannot be
 * polled.
 */
export function useAsk(): (group: Pick<PollGroup, "id" | "name">) => Promise<boolean> {
  const { t } = useTranslation("pollGroups");
  const { number, age } = useFormat();
  const { zone } = useSession();
  return async (group) => {
    if (!isPermitted(tasks.create)) return false;
    const plan = await forecast(group.id);
    if (!plan) return false;
    const isSure = await confirm({
      title: t("campaign.title", { name: group.name }),
      text: campaignText(plan, { t, number, age, zone }),
      action: t("menu.ask"),
      size: 450,
    });
    return isSure && askNow(group);
  };
}

/** Undefined when it was refused, which the call has reported. */
async function forecast(poll_group_id: number): Promise<PollPlan | undefined> {
  try {
    return (await send(pollPlan.get, { body: { poll_group_id, is_campaign: true } })).plan;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
