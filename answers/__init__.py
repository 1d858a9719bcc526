"""One module a question: parameters, named queries, analysis, result. The only code that knows both sides."""
