import { objects, objectTies, type TreeObject } from "@metrum/contract/accounting";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { LateOfNode, PointsOfNode } from "#accounting-points";
import { reasonOf, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { useAllowed } from "#lib/session";
import { MapOfNode } from "#object-map";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { Button } from "#ui/button";
import { FactLines } from "#ui/facts";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { Tabs } from "#ui/tabs";
import { AttributesPart } from "./AttributesPart.tsx";
import { ConsumptionPart } from "./ConsumptionPart.tsx";
import { addressText, askedNode, devicesOf, isKnownType, silentOf } from "./objects.ts";
import { PlacedPart } from "./PlacedPart.tsx";
import { placedKinds, type PlacedKind } from "./placed.ts";
import { UsersPart } from "./UsersPart.tsx";

interface Props {
  readonly id: string;
  readonly onEdit: (node: TreeObject) => void;
  readonly onAdd: (parent: TreeObject) => void;
  readonly hrefOf: (id: string) => string;
}

/** One node: its place, address and counters, and what stands in its branch. */
export function NodePage({ id, hrefOf, ...actions }: Props) {
  const { t } = useTranslation("objects");
  const { data, error, refetch } = useCall(objects.get, askedNode(id), { isQuiet: true });
  if (error?.status === 404 || error?.status === 422) return <EmptyState title={t("notFound")} />;
  if (error && !data)
    return <ErrorState title={t("failed")} message={reasonOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={300} />;
  return (
    <section className="objects-node">
      <Breadcrumbs
        items={[
          ...data.parents.map(({ _id, name }) => ({ title: name, href: hrefOf(_id) })),
          { title: data.object.name },
        ]}
      />
      <Card key={id} node={data.object} {...actions} />
    </section>
  );
}

/** Attributes that the overview shows; the others have their tab. */
const shownAttributes = 7;

function Card({ node, onEdit, onAdd }: { readonly node: TreeObject } & Pick<Props, "onEdit" | "onAdd">) {
  const { t } = useTranslation("objects");
  const { number } = useFormat();
  const mayChange = useAllowed("6:update|6:access_all");
  const mayCreate = useAllowed("6:create|6:access_all");
  const maySeePoints = useAllowed("6:read|6:access_all");
  const maySeeDevices = useAllowed("4:read");
  const maySeeCarriers = useAllowed("4:read|4:access_all");
  const maySeeUsers = useAllowed("1:read&6:read");
  const [tab, setTab] = useState("overview");
  const both = (kind: "points" | PlacedKind) =>
    number(node.devices_info[kind] + node.childs_devices_info[kind], 0);
  const listed = useListed(node, maySeeUsers);
  const kinds = placedKinds.filter((kind) => (kind === "devices" ? maySeeDevices : maySeeCarriers));
  const kind = kinds.find((each) => each === tab);
  return (
    <>
      <header className="objects-head">
        <h2>{node.name}</h2>
        {node.type === "" ? null : (
          <span className="objects-type">{isKnownType(node.type) ? t(`type.${node.type}`) : node.type}</span>
        )}
        <span className="objects-head-end">
          {mayChange ? (
            <Button icon="edit" onClick={() => onEdit(node)}>
              {t("menu.edit")}
            </Button>
          ) : null}
          {mayCreate ? (
            <Button icon="plus" onClick={() => onAdd(node)}>
              {t("menu.add")}
            </Button>
          ) : null}
        </span>
      </header>
      <Tabs
        label={node.name}
        current={tab}
        onSelect={setTab}
        items={[
          { id: "overview", title: t("tab.overview") },
          ...(maySeePoints ? [{ id: "points", title: t("tab.points"), count: both("points") }] : []),
          ...kinds.map((each) => ({ id: each, title: t(`tab.${each}`), count: both(each) })),
          ...(maySeeUsers ? [{ id: "users", title: t("tab.users"), count: listed.users }] : []),
          { id: "attributes", title: t("tab.attributes"), count: listed.attributes },
          { id: "map", title: t("tab.map") },
        ]}
      />
      <TabOfNode {...{ node, tab, kind, maySeePoints, maySeeDevices }} onTab={setTab} />
    </>
  );
}

/** What the chosen tab of a node shows. */
function TabOfNode(props: {
  readonly node: TreeObject;
  readonly tab: string;
  /** What stands at the node, for its tab. */
  readonly kind: PlacedKind | undefined;
  readonly maySeePoints: boolean;
  readonly maySeeDevices: boolean;
  readonly onTab: (tab: string) => void;
}) {
  const { node, tab, kind, maySeePoints, maySeeDevices, onTab } = props;
  const [isSilent, setSilent] = useState(false);
  const showSilent = () => {
    setSilent(true);
    onTab("devices");
  };
  if (kind) {
    const silent = kind === "devices" ? { isChosen: isSilent, onChoose: setSilent } : undefined;
    return <PlacedPart {...{ node, kind, silent }} key={kind} />;
  }
  switch (tab) {
    case "points":
      return (
        <Suspense fallback={<Skeleton height={160} />}>
          <PointsOfNode node={node} />
        </Suspense>
      );
    case "map":
      return (
        <Suspense fallback={<Skeleton height={480} />}>
          <MapOfNode node={node} />
        </Suspense>
      );
    case "users":
      return <UsersPart node={node} />;
    case "attributes":
      return <AttributesPart node={node} />;
    default:
      return (
        <>
          <Overview node={node} onSilent={maySeeDevices ? showSilent : undefined} />
          <ConsumptionPart id={node._id} />
          {maySeePoints ? (
            <Suspense>
              <LateOfNode node={node} />
            </Suspense>
          ) : null}
        </>
      );
  }
}

/** How many users and attributes a node itself has; undefined before they are known. */
function useListed(node: TreeObject, maySeeUsers: boolean) {
  const { number } = useFormat();
  const asked = { body: { object_id: node._id } };
  const tied = useCall(objectTies.users, asked, { isQuiet: true, isEnabled: maySeeUsers });
  const named = useCall(objectTies.attributes, asked, { isQuiet: true });
  const shown = (list: readonly unknown[] | undefined) => list && number(list.length, 0);
  return { users: shown(tied.data?.users), attributes: shown(named.data?.attributes) };
}

function Overview(props: { readonly node: TreeObject; readonly onSilent: (() => void) | undefined }) {
  const { node, onSilent } = props;
  const silent = silentOf(node);
  const { t } = useTranslation("objects");
  const { number } = useFormat();
  const coordinates = node.address?.coordinates;
  const { data } = useCall(objectTies.attributes, { body: { object_id: node._id } }, { isQuiet: true });
  return (
    <div className="objects-facts objects-overview">
      <FactLines
        facts={[
          { name: "address", title: t("fact.address"), value: addressText(node.address) || "—" },
          {
            name: "coordinates",
            title: t("fact.coordinates"),
            value: coordinates ? (
              <>
                {coordinates.map((each) => number(each, 6)).join("; ")}{" "}
                <a href={`#/cloud/objects/map?at=${coordinates.join("_")}_16&object=${node._id}`}>
                  {t("fact.map")}
                </a>
              </>
            ) : (
              "—"
            ),
          },
          { name: "nodes", title: t("fact.nodes"), value: number(node.nodes_below, 0) },
          { name: "here", title: t("fact.here"), value: number(node.devices_info.devices, 0) },
          { name: "all", title: t("fact.all"), value: number(devicesOf(node), 0) },
          {
            name: "silent",
            title: t("fact.silent"),
            value:
              silent > 0 && onSilent ? (
                <Button kind="link" onClick={onSilent}>
                  {number(silent, 0)}
                </Button>
              ) : (
                number(silent, 0)
              ),
          },
          ...(data?.attributes ?? [])
            .slice(0, shownAttributes)
            .map(({ name, value }) => ({ name: `attribute ${name}`, title: name, value })),
        ]}
      />
    </div>
  );
}
