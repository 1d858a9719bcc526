"""What screens share: navigation, frame, components, filters, pinning."""
