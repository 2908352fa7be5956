import { objects, type AccountingPoint } from "@metrum/contract/accounting";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useFormat, useNow } from "#lib/format";
import { nodeHref } from "#lib/screen";
import { useAllowed } from "#lib/session";
import { Breadcrumbs, type Crumb } from "#ui/breadcrumbs";
import { Button, buttonClass } from "#ui/button";
import { Icon, ResourceIcon } from "#ui/icon";
import { Status } from "#ui/status";
import { PointMenu, type PointActions } from "../PointMenu.tsx";
import { dataHref, dataRight, listHref, replaceHref, resourceOf, stateKinds } from "../points.ts";
import { typeTitle } from "../typeTitle.ts";

/** The way to the point in the tree of objects. */
export function usePointCrumbs(point: AccountingPoint | undefined): readonly Crumb[] {
  const { t } = useTranslation("accountingPoints");
  const parent = point?.parent_id ?? null;
  const { data } = useCall(
    objects.get,
    { body: { object_id: parent ?? "" } },
    { isQuiet: true, freshMs: 60_000, isEnabled: parent !== null },
  );
  const nodes = data ? [...data.parents, { _id: data.object._id, name: data.object.name }] : [];
  return [
    { title: t("title"), href: listHref },
    ...nodes.map(({ _id, name }) => ({ title: name, href: nodeHref(_id) })),
  ];
}

/** Name and state of a point, and what is done with it most. */
export function PointHead({ point, onDialog }: { readonly point: AccountingPoint } & PointActions) {
  const { t } = useTranslation("accountingPoints");
  const maySeeData = useAllowed(dataRight);
  const { age } = useFormat();
  const now = useNow();
  const crumbs = usePointCrumbs(point);
  const mayChange = useAllowed("6:update|6:access_all");
  const mayTie = useAllowed("6:update&(4:read|4:access_all)");
  const at = point.device?.last_data_at ?? null;
  const state = t(`state.${point.state}`);
  return (
    <header className="points-head">
      <Breadcrumbs items={[...crumbs, { title: point.name }]} />
      <div className="points-title">
        <ResourceIcon resource={resourceOf(point).key} label={typeTitle(point, t)} />
        <h1>{point.name}</h1>
        <span className="points-tag">{t("number", { id: point.id })}</span>
        <Status kind={stateKinds[point.state]}>
          {at === null
            ? state
            : now - at < 60
              ? t("stateNow", { state })
              : t("stateAge", { state, age: age(now - at) })}
        </Status>
        <span className="points-actions">
          {maySeeData ? (
            <a className={buttonClass()} href={dataHref(point.id)}>
              <Icon name="chart" />
              <span>{t("card.data")}</span>
            </a>
          ) : null}
          {mayChange ? (
            <Button icon="edit" onClick={() => onDialog("edit", point)}>
              {t("card.edit")}
            </Button>
          ) : null}
          {mayTie ? (
            point.device === null ? (
              <Button kind="primary" icon="link" onClick={() => onDialog("tieDevice", point)}>
                {t("card.tieDevice")}
              </Button>
            ) : (
              <a className={buttonClass({ kind: "primary" })} href={replaceHref(point.id)}>
                <Icon name="refresh" />
                <span>{t("card.replace")}</span>
              </a>
            )
          ) : null}
          <PointMenu
            point={point}
            isOpen
            onDialog={onDialog}
            onRemoved={() => {
              location.hash = listHref;
            }}
          />
        </span>
      </div>
    </header>
  );
}
