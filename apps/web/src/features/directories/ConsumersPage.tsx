import { consumers } from "@metrum/contract/access";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { lazily } from "#lib/load";
import { useAllowed } from "#lib/session";
import { Button } from "#ui/button";
import { ListView, useList } from "#ui/list";
import { ConsumerCard } from "./ConsumerCard.tsx";
import { consumerList } from "./consumerList.tsx";
import { useChosen, type Chosen } from "./directories.ts";
import { DirectoryPage } from "./DirectoryPage.tsx";
import { isPermitted } from "./permitted.ts";

const ConsumerDialog = lazily(async () => ({
  default: (await import("./ConsumerDialog.tsx")).ConsumerDialog,
}));

/** Consumers of the company, and the card of one. */
export function ConsumersPage() {
  const chosen = useChosen();
  return (
    <DirectoryPage
      kind="consumers"
      chosen={chosen}
      list={<ConsumerList chosen={chosen} />}
      card={(id) => <ConsumerCard key={id} id={id} onRemoved={() => chosen.choose(null)} />}
    />
  );
}

function ConsumerList({ chosen }: { readonly chosen: Chosen }) {
  const { t } = useTranslation("directories");
  const mayCreate = useAllowed("6:create");
  const [isAdding, setAdding] = useState(false);
  const list = useList(consumerList, { current: chosen.id, choose: chosen.choose });
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
                if (isPermitted(consumers.create)) setAdding(true);
              }}
            >
              {t("add")}
            </Button>
          ) : null
        }
      />
      {isAdding ? (
        <Suspense>
          <ConsumerDialog consumer={null} onClose={() => setAdding(false)} onSaved={chosen.choose} />
        </Suspense>
      ) : null}
    </>
  );
}
