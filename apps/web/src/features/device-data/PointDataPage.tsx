import { accountingPoints, type AccountingPoint } from "@metrum/contract/accounting";
import { devices } from "@metrum/contract/metering";
import { resourceOfType } from "@metrum/vocabulary";
import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { useFormat, useNow } from "#lib/format";
import { deviceHref, pointCardHref } from "#lib/screen";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { buttonClass } from "#ui/button";
import { ResourceIcon } from "#ui/icon";
import { EmptyState, ErrorState } from "#ui/states";
import { stateKinds, Status } from "#ui/status";
import "./deviceData.css";
import "./tabs/journal/journal.css";
import { Content, Loading, useTitle } from "./DeviceDataPage.tsx";

const asks = { isQuiet: true, freshMs: 10_000, everyMs: 60_000 };
const list = "#/cloud/objects/points";

/** The data of an accounting point, of all devices that have measured it, in the tabs of the present one. */
export function PointDataPage() {
  const { point_id = "" }: { readonly point_id?: string } = useParams({ strict: false });
  const { t } = useTranslation("deviceData");
  const query = useCall(accountingPoints.get, { params: { id: point_id } }, asks);
  const point = query.data?.accounting_point;
  useTitle(point?.name);
  if (point) return <PointData point={point} />;
  if (!query.isError) return <Loading />;
  const isMissing = query.error.status === 404 || query.error.status === 422;
  return isMissing ? (
    <EmptyState title={t("point.missing")}>
      <a href={list}>{t("point.toList")}</a>
    </EmptyState>
  ) : (
    <ErrorState
      title={t("failedLoad")}
      message={reasonOf(query.error)}
      onRetry={() => void query.refetch()}
    />
  );
}

function PointData({ point }: { readonly point: AccountingPoint }) {
  const { t } = useTranslation("deviceData");
  const now = useNow();
  const id = point.device_id;
  const query = useCall(
    devices.get,
    { params: { id: String(id ?? 0) } },
    { ...asks, isEnabled: id !== null },
  );
  const device = query.data?.metering_device;
  return (
    <section className="device-data">
      <Head point={point} now={now} />
      {id === null ? (
        <EmptyState title={t("point.noDevice")}>
          <a href={cardOf(point)}>{t("point.card")}</a>
        </EmptyState>
      ) : device ? (
        <Content device={{ ...device, timezone_name: point.timezone }} now={now} pointId={point.id} />
      ) : query.isError ? (
        <ErrorState
          title={t("failedLoad")}
          message={reasonOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Loading />
      )}
    </section>
  );
}

const cardOf = ({ id, device_id }: AccountingPoint) => pointCardHref(id, device_id);

/** Name and state of the point, its present device, and the way to its card. */
function Head({ point, now }: { readonly point: AccountingPoint; readonly now: number }) {
  const { t } = useTranslation(["deviceData", "devices"]);
  const { age, language } = useFormat();
  const { device, state } = point;
  const at = device?.last_data_at ?? null;
  const word = state === "no_device" ? t("point.noDevice") : t(`devices:state.${state}`);
  const resource = resourceOfType(point.resource_type_id);
  return (
    <header className="device-head">
      <Breadcrumbs
        items={[
          { title: t("point.list"), href: list },
          { title: point.name, href: cardOf(point) },
          { title: t("point.data") },
        ]}
      />
      <div className="device-title">
        <h1>{point.name}</h1>
        <Status kind={state === "no_device" ? "off" : stateKinds[state]}>
          {at === null
            ? word
            : now - at < 60
              ? t("stateNow", { state: word })
              : t("stateAge", { state: word, age: age(now - at) })}
        </Status>
        <div className="device-actions">
          <a className={buttonClass()} href={cardOf(point)}>
            <span>{t("point.card")}</span>
          </a>
        </div>
      </div>
      <ul className="device-facts">
        <li>
          <ResourceIcon resource={resource.key} label={resource.title[language]} />
        </li>
        {point.address === "—" ? null : <li>{point.address}</li>}
        {device === null ? null : (
          <li>
            <a href={deviceHref(device.id)}>
              {device.name.includes(device.deviceID) ? device.name : `${device.name} ${device.deviceID}`}
            </a>
          </li>
        )}
      </ul>
    </header>
  );
}
