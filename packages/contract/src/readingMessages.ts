import type { Text } from "@metrum/vocabulary";

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/** Success messages of readings. */
export const readingMessages = {
  reading_below: text(
    "Сохранено, но {given} меньше предыдущего показания {before}",
    "Saved, but {given} is below the reading before it, {before}",
    "Хадгалсан, гэхдээ {given} нь өмнөх {before} заалтаас бага",
  ),
  reading_beyond: text(
    "Сохранено, но {given} больше следующего показания {after}",
    "Saved, but {given} is above the reading after it, {after}",
    "Хадгалсан, гэхдээ {given} нь дараагийн {after} заалтаас их",
  ),
  reading_above: text(
    "Сохранено, но прирост {grown} намного больше обычного: {expected}",
    "Saved, but the growth of {grown} is far above the usual {expected}",
    "Хадгалсан, гэхдээ {grown} өсөлт ердийн {expected} хэмжээнээс хэт их",
  ),
  reading_grown: text(
    "Сохранено, но прирост {grown} велик для предыдущего показания {before}",
    "Saved, but the growth of {grown} is large for the reading before it, {before}",
    "Хадгалсан, гэхдээ {grown} өсөлт өмнөх {before} заалтын хувьд их",
  ),
  readings_released: text(
    "Выпущено показаний: {count}",
    "Readings released: {count}",
    "Гаргасан заалт: {count}",
  ),
  readings_discarded: text(
    "Отброшено показаний: {count}",
    "Readings discarded: {count}",
    "Хаясан заалт: {count}",
  ),
} as const satisfies Record<string, Text>;
