import { transformers, type Transformer } from "@metrum/contract/accounting";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { lazily } from "#lib/load";
import { useAllowed } from "#lib/session";
import { dayText } from "#ui/dateField";
import { removeTransformer } from "./actions.ts";
import { Card, CardOf } from "./CardFrame.tsx";
import { isPermitted } from "./permitted.ts";
import { PointsPart } from "./PointsPart.tsx";
import { ratioText } from "./transformerList.tsx";

const TransformerDialog = lazily(async () => ({
  default: (await import("./TransformerDialog.tsx")).TransformerDialog,
}));

interface Props {
  readonly id: string;
  readonly onRemoved: () => void;
}

/** A transformer and the points where it stood, now and before. */
export function TransformerCard({ id, onRemoved }: Props) {
  const query = useCall(transformers.get, { params: { id } }, { isQuiet: true });
  return (
    <CardOf query={query}>
      {({ transformer }) => <Shown transformer={transformer} onRemoved={onRemoved} />}
    </CardOf>
  );
}

function Shown(props: { readonly transformer: Transformer; readonly onRemoved: () => void }) {
  const { transformer, onRemoved } = props;
  const { t } = useTranslation("directories");
  const { number } = useFormat();
  const mayChange = useAllowed("6:update");
  const mayDelete = useAllowed("6:delete");
  const [isEditing, setEditing] = useState(false);
  const edit = () => {
    if (isPermitted(transformers.update)) setEditing(true);
  };
  const remove = async () => {
    if (await removeTransformer(transformer, t)) onRemoved();
  };
  return (
    <Card
      name={transformer.title}
      badge={<span className="directories-type">{t(`kind.${transformer.kind}`)}</span>}
      facts={[
        ["ratio", ratioText(transformer, number)],
        ["accuracy_class", transformer.accuracy_class],
        ["number", transformer.number],
        ["verified_at", transformer.verified_at && dayText(transformer.verified_at)],
        ["verified_until", transformer.verified_until && dayText(transformer.verified_until)],
      ]}
      onEdit={mayChange ? edit : undefined}
      menu={
        mayDelete
          ? [
              {
                id: "remove",
                title: t("remove.action"),
                icon: "trash",
                isHarmful: true,
                onSelect: () => void remove(),
              },
            ]
          : []
      }
    >
      <PointsPart kind="transformers" id={String(transformer.id)} />
      {isEditing ? (
        <Suspense>
          <TransformerDialog
            transformer={transformer}
            onClose={() => setEditing(false)}
            onSaved={() => undefined}
          />
        </Suspense>
      ) : null}
    </Card>
  );
}
