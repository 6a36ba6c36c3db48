// Written by a test (src/typescript_tests.rs) from the types of the server. Do not edit it.

export type BlindCriterion = { key: string, label: string, fullMarks: string, max: number, step: number, };
export type BlindPenalty = { key: string, label: string, max: number, step: number, };
export type BlindPhoto = { token: string, slot: string, kind: "photo" | "video", label: string, width: number, height: number, };
export type BlindSheet = { code: string, token: string, state: "open" | "saved" | "confirmed" | "recused" | "second_look", category: string, subCategory: string, label: string, next: string | null, previous: string | null, rubricVersion: string, criteria: Array<BlindCriterion>, penalties: Array<BlindPenalty>, penaltyCap: number, photos: Array<BlindPhoto>, scores: Array<OwnScore>, penaltyScores: Array<OwnPenalty>, comment: string, version: number, secondLookAskedAt: string | null, };
export type HeadCategory = { category: string, subCategory: string, label: string, sheets: Array<HeadSheet>, };
export type HeadPanel = { categories: Array<HeadCategory>, };
export type HeadSheet = { judge: number, name: string, code: string, state: string, };
export type Item = { code: string, token: string, state: "open" | "saved" | "confirmed" | "recused" | "second_look", category: string, subCategory: string, missing: number, };
export type Name = { token: string, name: string, businessName: string, declared: boolean, };
export type Names = { categories: Array<NamesOfCategory>, };
export type NamesOfCategory = { category: string, subCategory: string, label: string, open: boolean, people: Array<Name>, };
export type OwnPenalty = { penalty: string, points: number, };
export type OwnScore = { criterion: string, points: number, };
export type Tie = { category: string, subCategory: string, since: string | null, codes: Array<string>, };
export type Work = { items: Array<Item>, categories: Array<WorkCategory>, ties: Array<Tie>, };
export type WorkCategory = { category: string, subCategory: string, label: string, head: boolean, state: "scoring" | "sealed" | "published", };
