import { gateways, models, type Gateway } from "@metrum/contract/metering";
import { useParams } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { GatewayControlDialog, hasGatewayControls } from "#control";
import { reasonOf, useCall } from "#lib/call";
import { useAllowed } from "#lib/session";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { Button } from "#ui/button";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { Status } from "#ui/status";
import { BehindGateway } from "./BehindGateway.tsx";
import { GatewayFacts } from "./GatewayFacts.tsx";
import { GatewayMenu } from "./GatewayMenu.tsx";
import { shownState } from "./gatewayTexts.tsx";
import "./gateways.css";

const GatewayDialog = lazily(async () => ({ default: (await import("./GatewayDialog.tsx")).GatewayDialog }));

/** One gateway: its facts, and the devices behind it. */
export function GatewayPage() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const { t } = useTranslation(["gateways", "devices"]);
  const { data, error, refetch } = useCall(
    gateways.get,
    { params: { id } },
    { isQuiet: true, everyMs: 60_000 },
  );
  const gateway = data?.gateway;
  // Also after its removal. Only a numeric id is requested: for any other (422) there is no gateway either.
  const isMissing = error?.status === 404 || error?.status === 422;
  return (
    <section className="gateways gateway-page">
      <Breadcrumbs
        items={[
          { title: t("devices:title"), href: "#/cloud/devices" },
          { title: t("devices:gateways"), href: "#/cloud/devices/gateways" },
          { title: gateway?.name ?? "…" },
        ]}
      />
      {isMissing ? (
        <EmptyState title={t("notFound")} />
      ) : gateway ? (
        <Card gateway={gateway} />
      ) : error ? (
        <ErrorState title={t("failed")} message={reasonOf(error)} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={400} />
      )}
    </section>
  );
}

function Card({ gateway }: { readonly gateway: Gateway }) {
  const { t } = useTranslation(["gateways", "devices"]);
  const mayChange = useAllowed("4:update|4:access_all");
  const mayDelete = useAllowed("4:delete|4:access_all");
  const [isEdited, setEdited] = useState(false);
  const [isControlled, setControlled] = useState(false);
  const mayControl = useAllowed("4:update");
  const known = useCall(models.gateways, { body: {} }, { freshMs: 3_600_000, isQuiet: true }).data?.gateways;
  const { kind, text } = shownState(gateway, { t });
  return (
    <>
      <header className="gateway-head">
        <h1>{gateway.name}</h1>
        <Status kind={kind}>{gateway.is_deleted ? t("inTrash") : text}</Status>
        <span className="gateway-head-end">
          {mayControl && hasGatewayControls(gateway, known) ? (
            <Button icon="send" onClick={() => setControlled(true)}>
              {t("menu.control")}
            </Button>
          ) : null}
          {mayChange && !gateway.is_deleted && !gateway.is_archived ? (
            <Button icon="edit" onClick={() => setEdited(true)}>
              {t("menu.edit")}
            </Button>
          ) : null}
          <GatewayMenu
            {...{ gateway, mayDelete }}
            mayChange={false}
            onEdit={() => setEdited(true)}
            onControl={() => setControlled(true)}
            isOpen
          />
        </span>
      </header>
      <GatewayFacts gateway={gateway} />
      <h2>{t("behindList")}</h2>
      <BehindGateway gateway={gateway} mayMove={mayChange} />
      {isControlled ? (
        <Suspense>
          <GatewayControlDialog gateway_id={gateway.id} onClose={() => setControlled(false)} />
        </Suspense>
      ) : null}
      {isEdited ? (
        <Suspense>
          <GatewayDialog gateway={gateway} onClose={() => setEdited(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
