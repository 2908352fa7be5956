import { models } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { DeviceTabs } from "#carriers";
import { useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { useAllowed } from "#lib/session";
import { buttonClass } from "#ui/button";
import { Icon } from "#ui/icon";
import { ListPage, ListView, useList } from "#ui/list";
import { groupList } from "./groupList.tsx";
import { newHref, planHref } from "./pollGroups.ts";
import "./pollGroups.css";

const lasting = { freshMs: 3_600_000, isQuiet: true };

/** Poll groups of the company; one tab of the catalogue. */
export function PollGroupsPage() {
  const { t } = useTranslation(["pollGroups", "devices"]);
  const { number } = useFormat();
  const mayCreate = useAllowed("4:create|4:access_all");
  const mayChange = useAllowed("4:update|4:access_all");
  const mayDelete = useAllowed("4:delete|4:access_all");
  const mayAsk = useAllowed("4:read|4:update");
  const mayCancel = useAllowed("4:update");
  const known = useCall(models.devices, { body: {} }, lasting).data?.metering_devices;
  const list = useList(groupList, { mayChange, mayDelete, mayAsk, mayCancel, known });
  const { address, query } = list;
  const counts = query.data?.counts;
  return (
    <ListPage className="poll-groups" title={t("devices:title")}>
      <DeviceTabs current="groups" count={counts ? number(counts.all, 0) : ""} onReset={address.reset} />
      <ListView
        list={list}
        tools={
          <>
            <a href={planHref}>{t("toPlan")}</a>
            {mayCreate ? (
              <a className={buttonClass({ kind: "primary" })} href={newHref}>
                <Icon name="plus" />
                <span>{t("add")}</span>
              </a>
            ) : null}
          </>
        }
        footNote={
          counts
            ? t("foot", { count: counts.all, all: number(counts.all, 0), active: number(counts.active, 0) })
            : undefined
        }
      />
    </ListPage>
  );
}
