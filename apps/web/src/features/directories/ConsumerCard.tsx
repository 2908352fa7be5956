import { consumers, subjectOrganisation, subjectTypes, type Consumer } from "@metrum/contract/access";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { formatDateTime, useFormat } from "#lib/format";
import { lazily } from "#lib/load";
import { useAllowed, useSession } from "#lib/session";
import { dayText } from "#ui/dateField";
import type { MenuEntry } from "#ui/menu";
import { Status } from "#ui/status";
import { eraseConsumer, exportConsumer, removeConsumer } from "./actions.ts";
import { Card, CardOf } from "./CardFrame.tsx";
import { isPermitted } from "./permitted.ts";
import { PointsPart } from "./PointsPart.tsx";

const ConsumerDialog = lazily(async () => ({
  default: (await import("./ConsumerDialog.tsx")).ConsumerDialog,
}));

interface Props {
  readonly id: string;
  readonly onRemoved: () => void;
}

/** A consumer: contract, contact, and their points now and before. */
export function ConsumerCard({ id, onRemoved }: Props) {
  const query = useCall(consumers.get, { params: { id } }, { isQuiet: true });
  return (
    <CardOf query={query}>{({ consumer }) => <Shown consumer={consumer} onRemoved={onRemoved} />}</CardOf>
  );
}

function Shown({ consumer, onRemoved }: { readonly consumer: Consumer; readonly onRemoved: () => void }) {
  const { t } = useTranslation("directories");
  const { language } = useFormat();
  const { zone } = useSession();
  const mayChange = useAllowed("6:update");
  const [isEditing, setEditing] = useState(false);
  const menu = useMenu(consumer, onRemoved);
  const isErased = consumer.erased_at !== null;
  const type = subjectTypes.find(({ id }) => id === consumer.subject_type_id)?.title[language];
  return (
    <Card
      name={consumer.name}
      badge={
        consumer.erased_at === null ? (
          <span className="directories-type">{type}</span>
        ) : (
          <Status kind="off">{t("erased", { at: formatDateTime(consumer.erased_at, zone) })}</Status>
        )
      }
      facts={factsOf(consumer, t("grid:file.yes"), t("grid:file.no"))}
      onEdit={
        mayChange && !isErased
          ? () => {
              if (isPermitted(consumers.update)) setEditing(true);
            }
          : undefined
      }
      menu={menu}
    >
      <PointsPart kind="consumers" id={consumer._id} />
      {isEditing ? (
        <Suspense>
          <ConsumerDialog consumer={consumer} onClose={() => setEditing(false)} onSaved={() => undefined} />
        </Suspense>
      ) : null}
    </Card>
  );
}

const factsOf = (consumer: Consumer, yes: string, no: string) =>
  [
    ["number", consumer._id],
    ["number_of_contract", consumer.number_of_contract],
    ["inn", consumer.inn],
    ...(consumer.subject_type_id === subjectOrganisation
      ? ([
          ["registration_number", consumer.registration_number],
          ["registration_date", consumer.registration_date && dayText(consumer.registration_date)],
        ] as const)
      : ([
          ["phone_number", consumer.phone_number],
          ["email", consumer.email],
        ] as const)),
    ["address", consumer.address],
    ["measurement_code_object", consumer.measurement_code_object],
    ["account_access_enabled", consumer.account_access_enabled ? yes : no],
    ["comment", consumer.comment],
  ] as const;

function useMenu(consumer: Consumer, onRemoved: () => void): MenuEntry[] {
  const { t } = useTranslation("directories");
  const mayDelete = useAllowed("6:delete");
  const remove = async () => {
    if (await removeConsumer(consumer, t)) onRemoved();
  };
  return [
    {
      id: "export",
      title: t("export.action"),
      icon: "download",
      onSelect: () => void exportConsumer(consumer, t),
    },
    ...(mayDelete && consumer.erased_at === null
      ? [
          {
            id: "erase",
            title: t("erase.action"),
            isHarmful: true,
            startsGroup: true,
            onSelect: () => void eraseConsumer(consumer, t),
          },
        ]
      : []),
    ...(mayDelete
      ? [
          {
            id: "remove",
            title: t("remove.action"),
            icon: "trash" as const,
            isHarmful: true,
            onSelect: () => void remove(),
          },
        ]
      : []),
  ];
}
