import type { Gateway } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { interfaceTitle } from "#carriers";
import { formatDateTime, useFormat, useNow } from "#lib/format";
import { useSession } from "#lib/session";
import { modelHref } from "#models";
import { FactLines, type Fact } from "#ui/facts";
import { agoText } from "#ui/list";
import { devicesText, signalText } from "./gatewayTexts.tsx";

/** Connection of a gateway on the left, its settings on the right. */
export function GatewayFacts({ gateway }: { readonly gateway: Gateway }) {
  return (
    <div className="gateway-facts">
      <FactLines facts={useContact(gateway)} />
      <FactLines facts={useSettings(gateway)} />
    </div>
  );
}

function useContact(gateway: Gateway): readonly Fact[] {
  const { t } = useTranslation(["gateways", "devices"]);
  const { number, age } = useFormat();
  const { zone } = useSession();
  const now = useNow();
  const at = gateway.last_contact_at;
  const fact = (name: string, value: Fact["value"]): Fact => ({ name, title: t(`fact.${name}`), value });
  return [
    fact(
      "contact",
      at === null ? t("fact.neverContact") : `${formatDateTime(at, zone)} (${agoText(at, { t, now, age })})`,
    ),
    ...(gateway.is_connected === null
      ? []
      : [fact("connected", t(gateway.is_connected ? "fact.isConnected" : "fact.notConnected"))]),
    fact("signal", signalText(gateway, { t }) ?? "—"),
    fact("devices", devicesText(gateway, { t, number })),
    fact("line", gateway.line ?? t(gateway.is_connected === null ? "fact.noLine" : "fact.dialsIn")),
    fact("port", gateway.port === null ? t("fact.noPort") : String(gateway.port)),
  ];
}

function useSettings(gateway: Gateway): readonly Fact[] {
  const { t } = useTranslation("gateways");
  const { age, language } = useFormat();
  const fact = (name: string, value: Fact["value"]): Fact => ({ name, title: t(`fact.${name}`), value });
  return [
    fact("model", <a href={modelHref(gateway.model_id)}>{gateway.model_title}</a>),
    fact("number", gateway.device_id),
    fact("interface", interfaceTitle(gateway.interface_id, language)),
    ...(gateway.login === undefined ? [] : [fact("login", gateway.login)]),
    ...(gateway.phone_number === "" ? [] : [fact("phone", gateway.phone_number)]),
    ...(gateway.base_station ? [fact("station", gateway.base_station.name)] : []),
    fact("zone", gateway.timezone_name),
    fact("report", age(gateway.report_period_update)),
    fact("warning", age(gateway.warning_report_period)),
    ...(gateway.dlms_wrapper ? [fact("framing", t("framing.wrapper"))] : []),
    ...(gateway.poll_pause === 0 ? [] : [fact("pause", age(gateway.poll_pause))]),
    ...(gateway.desc === "" ? [] : [fact("desc", gateway.desc)]),
  ];
}
