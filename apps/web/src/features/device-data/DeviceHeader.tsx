import type { ReplyOf } from "@metrum/contract/core";
import type { devices } from "@metrum/contract/metering";
import { resourceOfGroup } from "@metrum/vocabulary";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { interfaceTitle } from "#carriers";
import { modelHref } from "#models";
import { formatOffset, useFormat } from "#lib/format";
import { useAllowed } from "#lib/session";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { ResourceIcon } from "#ui/icon";
import { stateKinds, Status } from "#ui/status";

export type Device = ReplyOf<typeof devices.get>["metering_device"];

/** Name, state with its age, actions, and the metadata of the meter. */
export function DeviceHeader(props: {
  readonly device: Device;
  readonly now: number;
  readonly actions: ReactNode;
}) {
  const { device, now, actions } = props;
  const { t } = useTranslation(["deviceData", "devices"]);
  const { age, number, language } = useFormat();
  const maySeePoint = useAllowed("6:read|6:access_all");
  const resource = resourceOfGroup(device.device_group_id);
  const state = t(`devices:state.${device.state}`);
  const stateText = (at: number | null) => {
    if (at === null) return state;
    return now - at < 60 ? t("stateNow", { state }) : t("stateAge", { state, age: age(now - at) });
  };
  const via = (device.gateway ?? device.base_station)?.name;
  const connection = interfaceTitle(device.interface_id, language);
  const facts = [
    ...(device.deviceID === "" ? [] : [t("number", { number: device.deviceID })]),
    via === undefined ? connection : t("via", { connection, via }),
    ...(device.transformation_ratio === 1
      ? []
      : [t("ratio", { ratio: number(device.transformation_ratio) })]),
    t("deviceTime", { zone: formatOffset(now, device.timezone_name) }),
  ];
  return (
    <header className="device-head">
      <Breadcrumbs
        items={[
          { title: t("devices"), href: "#/cloud/devices" },
          { title: t("metering"), href: "#/cloud/devices" },
          { title: device.name },
        ]}
      />
      <div className="device-title">
        <h1>{device.name}</h1>
        <Status kind={stateKinds[device.state]}>{stateText(device.last_data_at)}</Status>
        <div className="device-actions">{actions}</div>
      </div>
      <ul className="device-facts">
        <li>
          <ResourceIcon resource={resource.key} label={resource.title[language]} />
        </li>
        {device.place === "" ? null : <li>{device.place}</li>}
        <li>
          <a href={modelHref(device.model_id)}>
            {device.model.brand} {device.model.title}
          </a>
        </li>
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
        {maySeePoint ? (
          <li>
            <a href={`#/cloud/devices/accounting-point-card/${String(device.id)}`}>{t("point.card")}</a>
          </li>
        ) : null}
      </ul>
    </header>
  );
}
