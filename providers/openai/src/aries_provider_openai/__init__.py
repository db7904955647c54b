"""OpenAI Chat Completions, and every server that speaks it.

Providers of other services build on these modules: `provider.ChatProvider` with a `Service` of their own, or the parts
alone: `sse.EventReader`, `compat.Compat`, `encoder.Encoder`, `decoder.ChunkDecoder`, `answer.AnswerReader`,
`faults.FaultClassifier`.
"""

__all__: list[str] = []
