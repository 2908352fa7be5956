import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { BridgePanel } from "#bridge";
import { Card } from "./Card.tsx";

interface Props {
  readonly target: { readonly id: number };
  readonly owner: "device" | "gateway";
}

/** The transparent port of a device or gateway. */
export function BridgeCard({ target, owner }: Props) {
  const { t } = useTranslation("control");
  return (
    <Card title={t("block.bridge")} group="bridge">
      <Suspense>
        <BridgePanel targetId={target.id} owner={owner} />
      </Suspense>
    </Card>
  );
}
