"""The commands of the headless product: each parses its words, asks the layers below and prints."""
