import { transformers } from "@metrum/contract/accounting";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { lazily } from "#lib/load";
import { useAllowed } from "#lib/session";
import { Button } from "#ui/button";
import { ListView, useList } from "#ui/list";
import { TransformerCard } from "./TransformerCard.tsx";
import { transformerList } from "./transformerList.tsx";
import { useChosen, type Chosen } from "./directories.ts";
import { DirectoryPage } from "./DirectoryPage.tsx";
import { isPermitted } from "./permitted.ts";

const TransformerDialog = lazily(async () => ({
  default: (await import("./TransformerDialog.tsx")).TransformerDialog,
}));

/** Transformers of the company, and the card of one. */
export function TransformersPage() {
  const chosen = useChosen();
  return (
    <DirectoryPage
      kind="transformers"
      chosen={chosen}
      list={<TransformerList chosen={chosen} />}
      card={(id) => <TransformerCard key={id} id={id} onRemoved={() => chosen.choose(null)} />}
    />
  );
}

function TransformerList({ chosen }: { readonly chosen: Chosen }) {
  const { t } = useTranslation("directories");
  const mayCreate = useAllowed("6:create");
  const [isAdding, setAdding] = useState(false);
  const list = useList(transformerList, { current: chosen.id, choose: chosen.choose });
  return (
    <>
      <ListView
        list={list}
        tools={
          mayCreate ? (
            <Button
              kind="primary"
              icon="plus"
              onClick={() => {
                if (isPermitted(transformers.create)) setAdding(true);
              }}
            >
              {t("add")}
            </Button>
          ) : null
        }
      />
      {isAdding ? (
        <Suspense>
          <TransformerDialog transformer={null} onClose={() => setAdding(false)} onSaved={chosen.choose} />
        </Suspense>
      ) : null}
    </>
  );
}
